import { generateKeyPairSync, sign } from 'node:crypto';

/** One DER element. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const long = body.length > 255 ? [0x82, body.length >> 8, body.length & 255] : [0x81, body.length];
  return Buffer.concat([Buffer.from([tag, ...(body.length < 128 ? [body.length] : long)]), body]);
}

const SEQUENCE = 0x30;
const ECDSA_SHA256 = der(SEQUENCE, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const NAME = der(
  SEQUENCE,
  der(0x31, der(SEQUENCE, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('localhost')))),
);
const VALIDITY = der(SEQUENCE, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));

/** A key and a certificate for localhost that nobody trusts, made for each journey. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(SEQUENCE, der(0x02, Buffer.from([1])), ECDSA_SHA256, NAME, VALIDITY, NAME, spki);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = der(SEQUENCE, body, ECDSA_SHA256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/gu, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
