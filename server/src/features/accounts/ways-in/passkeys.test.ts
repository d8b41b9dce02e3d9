import { beforeEach, expect, test } from 'vitest';
import { cookieOf, emptyApp, ORIGIN, type TestUser } from '../../../testing/harness.ts';
import { beginPasskey, softPasskey } from '../../../testing/ways-in.ts';

let owner: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  owner = await app.signUpByRequest();
});

const begin = (as: TestUser = owner) => beginPasskey(app, as);
const listed = async (as: TestUser = owner) =>
  (await app.request('GET', '/api/auth/passkey/list-user-passkeys', { as })).body.passkeys;

test('a passkey is added once, whoever comes with it again', async () => {
  const key = softPasskey();
  const first = await begin();
  expect((await first.finish(key.register({ challenge: first.challenge, origin: ORIGIN }))).status).toBe(200);
  for (const as of [owner, await app.signUpByRequest()]) {
    const again = await begin(as);
    const refused = await again.finish(key.register({ challenge: again.challenge, origin: ORIGIN }));
    expect([refused.status, refused.body.error.message]).toEqual([409, 'This passkey has been added already.']);
  }
  expect(await listed()).toHaveLength(1);
});

test('of two at once one is added', async () => {
  const key = softPasskey();
  const [one, two] = [await begin(), await begin()];
  const both = await Promise.all(
    [one, two].map(({ challenge, finish }) => finish(key.register({ challenge, origin: ORIGIN }))),
  );
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(both.find(({ status }) => status !== 200)?.status).toBeOneOf([400, 409]);
  expect(await listed()).toHaveLength(1);
});

test.each([
  ['garbage', () => ({ id: 'x', response: {} })],
  [
    'garbage in every part',
    () => ({ id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'é', attestationObject: '=' } }),
  ],
  ['another challenge', () => softPasskey().register({ challenge: 'b3RoZXI', origin: ORIGIN })],
  ['another origin', (challenge: string) => softPasskey().register({ challenge, origin: 'https://evil.test' })],
  ['another name', (challenge: string) => softPasskey('evil.test').register({ challenge, origin: ORIGIN })],
])('%s is refused as the request’s fault', async (_, answer) => {
  const { challenge, finish } = await begin();
  const refused = await finish(answer(challenge));
  expect([refused.status, refused.body.message]).toEqual([400, 'The passkey could not be checked. Please try again.']);
  expect(await listed()).toEqual([]);
});

test('so is a sign-in with a passkey that is none', async () => {
  const begun = await app.request('POST', '/api/auth/passkey/generate-authenticate-options', { body: {} });
  const cookie = cookieOf(begun.headers);
  for (const response of [
    { id: 'x', response: {} },
    softPasskey().register({ challenge: begun.body.challenge, origin: ORIGIN }),
  ]) {
    const refused = await app.request('POST', '/api/auth/passkey/verify-authentication', {
      body: { response },
      headers: { cookie },
    });
    expect(refused.status).toBeOneOf([400, 401]);
  }
});
