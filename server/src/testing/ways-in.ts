import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { cookieOf, ORIGIN, PASSWORD, type TestApp, type TestUser } from './harness.ts';

/** What an authenticator app with this key shows, now or at that time (RFC 6238). */
export function codeOf(secret: string, ms = Date.now()): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / 30_000)));
  const mac = createHmac('sha1', base32.decode(secret)).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** What it shows next; it is taken half a minute early. For a second use within that time, because each code works once. */
export const nextCodeOf = (secret: string): string => codeOf(secret, Date.now() + 30_000);

type Cbor = Parameters<typeof isoCBOR.encode>[0];
const encode = (map: Map<number | string, Cbor>) => Buffer.from(isoCBOR.encode(map));

/** An authenticator in software, which has checked its person: answers as a browser does (WebAuthn, no attestation). */
export function softPasskey(rpId = 'localhost') {
  const id = randomBytes(16);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
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
        ['authData', new Uint8Array(authData)],
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

type Asking = Pick<TestApp, 'request'>;

/** Sets up a person's second factor; returns what their app and their drawer would keep. */
export async function turnOnTwoFactor(app: Asking, as: TestUser, password = PASSWORD) {
  const post = (call: string, body: object) => app.request('POST', `/api/auth/two-factor/${call}`, { as, body });
  const { totpURI, backupCodes } = (await post('enable', { password })).body;
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  const usedCode = codeOf(secret);
  expect((await post('verify-totp', { code: usedCode })).status).toBe(200);
  return { secret, usedCode, backupCodes: backupCodes as string[] };
}

/** Begins adding a passkey; `finish` ends it with what a browser would answer. */
export async function beginPasskey(app: Asking, as: TestUser, password = PASSWORD) {
  const call = (path: string, body: object, cookie: string) =>
    app.request('POST', `/api/auth/passkey/${path}`, { body, headers: { cookie } });
  const begun = await call('generate-register-options', { password }, as.cookie);
  expect(begun.status).toBe(200);
  const cookie = `${as.cookie}; ${cookieOf(begun.headers)}`;
  const finish = (response: unknown) => call('verify-registration', { name: 'Laptop', response }, cookie);
  return { challenge: String(begun.body.challenge), finish };
}

export async function addPasskey(app: Asking, as: TestUser, password = PASSWORD) {
  const key = softPasskey();
  const { challenge, finish } = await beginPasskey(app, as, password);
  const { status, body } = await finish(key.register({ challenge, origin: ORIGIN }));
  expect(status).toBe(200);
  return { ...key, id: String(body.passkey.id) };
}

/** Lets five minutes pass for everybody who has proved to be an account's owner. */
export async function ageProofs(app: TestApp): Promise<void> {
  await app.deps.db.execute(
    sql`update account_tokens set expires_at = expires_at - interval '5 minutes' where purpose = 'owner'`,
  );
  await app.deps.db.execute(sql`update session set created_at = created_at - interval '11 minutes'`);
}
