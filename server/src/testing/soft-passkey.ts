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
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
  const clientDataOf = (type: string, { challenge, origin }: { challenge: string; origin: string }) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
  };
  const authData = Buffer.concat([sha256(rpId), flags, Buffer.alloc(16), length, id, key]);
  return {
    register(asked: { challenge: string; origin: string }) {
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      const response = {
        clientDataJSON: clientDataOf('webauthn.create', asked).toString('base64url'),
        attestationObject: encode(attestation).toString('base64url'),
      };
      return { ...credential, response };
    },
    /** Answers a sign-in; with `isVerified` false only somebody was there. */
    authenticate(asked: { challenge: string; origin: string }, isVerified = true) {
      const clientData = clientDataOf('webauthn.get', asked);
      const data = Buffer.concat([sha256(rpId), Buffer.from([isVerified ? 0b101 : 0b001, 0, 0, 0, 0])]);
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey).toString('base64url'),
      };
      return { ...credential, response };
    },
  };
}
