import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** CBOR (RFC 8949) of what a passkey's answer has: whole numbers, texts, bytes, and maps of them. */
type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  return size < 256 ? Buffer.from([(major << 5) | 24, size]) : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
}

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(encode)]);
}

/** An authenticator in software, which has checked its person: answers as a browser does (WebAuthn, no attestation). */
export function softPasskey(rpId = 'localhost') {
  const id = randomBytes(16);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  // COSE's names for an elliptic key: type EC2, algorithm ES256, curve P-256.
  const key = encode(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
  // Present, verified, with a key; a counter, and no model.
  const flags = Buffer.from([0b0100_0101, 0, 0, 0, 0]);
  const length = Buffer.from([0, id.length]);
  const site = createHash('sha256').update(rpId).digest();
  const authData = Buffer.concat([site, flags, Buffer.alloc(16), length, id, key]);
  const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };
  return {
    /** Signs in. */
    use({ challenge, origin }: { challenge: string; origin: string }) {
      const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }));
      // Present and verified, and a counter.
      const data = Buffer.concat([site, Buffer.from([0b0000_0101, 0, 0, 0, 0])]);
      const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      };
      return { ...named, clientExtensionResults: {}, response };
    },
    register({ challenge, origin }: { challenge: string; origin: string }) {
      const clientData = JSON.stringify({ type: 'webauthn.create', challenge, origin, crossOrigin: false });
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        ...named,
        clientExtensionResults: {},
        response: {
          clientDataJSON: Buffer.from(clientData).toString('base64url'),
          attestationObject: encode(attestation).toString('base64url'),
        },
      };
    },
  };
}
