import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { codeOf } from './authenticator.ts';
import { cookieOf, ORIGIN, PASSWORD, type TestApp, type TestUser } from './harness.ts';
import { softPasskey } from './soft-passkey.ts';

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
