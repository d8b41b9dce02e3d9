import { SENTENCES } from '@atelier/contract/errors';
import { expect, test } from 'vitest';
import { PASSWORD, type TestApp, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { issueResetLink } from './accounts.passwords.service.ts';

const COMMON = 'iloveyou';
const lenient = await closing(testApp());
const strict = await closing(testApp({ env: { PASSWORD_UNCOMMON: '1' }, database: lenient.deps.database }));

/** Each way to set a password, tried with a common one. */
const WAYS: [string, (app: TestApp) => Promise<{ status: number; body: { message?: string } }>][] = [
  [
    'sign-up',
    (app) => {
      const body = { name: 'Ada', email: `${crypto.randomUUID()}@example.com`, password: COMMON };
      return app.request('POST', '/api/auth/sign-up/email', { body });
    },
  ],
  [
    'reset',
    async (app) => {
      const { uid: userId, email } = await lenient.signUpByRequest();
      const token = new URL(await issueResetLink(app.deps, { userId, email })).hash.slice(1);
      return app.request('POST', '/api/auth/reset-password', { body: { token, newPassword: COMMON } });
    },
  ],
  [
    'change',
    async (app) => {
      const body = { currentPassword: PASSWORD, newPassword: COMMON };
      return app.request('POST', '/api/auth/change-password', { as: await lenient.signUpByRequest(), body });
    },
  ],
];

test.each(WAYS)('a common password is taken at %s, and refused where the operator says so', async (_, choose) => {
  expect((await choose(lenient)).status).toBe(200);
  const refused = await choose(strict);
  expect([refused.status, refused.body.message]).toEqual([400, SENTENCES.passwordCommon]);
});

test.each([
  'ｐａｓｓｗｏｒｄ',
  '１２３４５６',
  'ſunshine',
  'Letmein!',
  'password123',
  '654321',
  'aaaaaa',
  '121212',
  '987654321',
  'abcdefg',
  'Atelier1',
  'ada2024',
])('%s is common, however it is written', async (password) => {
  const answer = await lenient.request('POST', '/api/auth/check-password', { body: { password, name: 'Ada' } });
  expect(answer.body).toEqual({ common: true });
});

test.each(['correct horse', 'hgfqwz', 'x7-2b9'])('%s is not', async (password) => {
  const answer = await lenient.request('POST', '/api/auth/check-password', { body: { password, name: 'Ada' } });
  expect(answer.body).toEqual({ common: false });
});

test('a page asks whether a password is common, and is told of the names in its form or of the signed-in person', async () => {
  const ask = async (body: object, as?: Awaited<ReturnType<TestApp['signUp']>>) =>
    (await lenient.request('POST', '/api/auth/check-password', { as, body })).body;
  expect(await ask({ password: COMMON })).toEqual({ common: true });
  expect(await ask({ password: PASSWORD })).toEqual({ common: false });
  expect(await ask({ password: 'grace hopper', name: 'Grace Hopper' })).toEqual({ common: true });
  const ada = await lenient.signUpByRequest('Ada Lovelace');
  expect(await ask({ password: 'Ada Lovelace' }, ada)).toEqual({ common: true });
  expect(await ask({ password: ada.email }, ada)).toEqual({ common: true });
  const unread = await lenient.request('POST', '/api/auth/check-password', { body: { password: 7 } });
  expect(unread.status).toBe(400);
});

test('the rules say that common passwords are refused', async () => {
  expect((await strict.request('GET', '/api/auth/password-rules')).body.uncommon).toBe(true);
  expect((await lenient.request('GET', '/api/auth/password-rules')).body.uncommon).toBe(false);
});
