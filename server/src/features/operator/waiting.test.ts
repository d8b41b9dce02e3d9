import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PASSWORD, type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { changeSettings } from '../settings/settings.service.ts';

const BECAUSE = { reason: 'because' };
let app: TestApp;
let operator: TestUser;
beforeAll(async () => {
  app = await testApp();
});
beforeEach(async () => {
  await app.reset();
  operator = await app.signUp('Boss');
  await changeSettings(app.deps, { 'sign-up': 'approval' });
  for (const email of ['ada@example.com', 'bob@example.com'])
    await app.request('POST', '/api/auth/sign-up/email', { body: { name: 'New', email, password: PASSWORD } });
});
afterAll(() => app.close());

type Listed = { id: string; email: string; waitingFor: string | null };
const list = async (query: string): Promise<Listed[]> =>
  (await app.request('GET', `/api/admin/people${query}`, { as: operator })).body.people;
const signIn = async (email: string) =>
  (await app.request('POST', '/api/auth/sign-in/email', { body: { email, password: PASSWORD } })).status;
const due = async () => (await app.call(operator, 'GET', '/api/admin/overview')).due.waiting;
const act = (id: string, body: object) =>
  app.request('POST', `/api/admin/people/${id}/acts`, { as: operator, body: { act: 'approve', ...body } });
const reject = (id: string, body: object = BECAUSE) =>
  app.request('POST', `/api/admin/people/${id}/reject`, { as: operator, body });

test('new accounts that wait are found, counted, and let in or refused', async () => {
  const waiting = await list('?show=waiting');
  expect(waiting.map(({ email, waitingFor }) => [email, waitingFor])).toEqual([
    ['bob@example.com', 'approval'],
    ['ada@example.com', 'approval'],
  ]);
  expect((await list('?show=waiting&search=ada&sort=email')).map(({ email }) => email)).toEqual(['ada@example.com']);
  expect([(await list('')).length, await due()]).toEqual([3, 2]);
  const [bob, ada] = waiting.map(({ id }) => id) as [string, string];
  expect((await act(ada, {})).status).toBe(400);
  const approved = await act(ada, BECAUSE);
  expect([approved.status, approved.body.person.waitingFor, await signIn('ada@example.com')]).toEqual([200, null, 200]);
  const answers = await Promise.all([reject(bob), reject(bob)]);
  // The other sees that it is gone, or waits no more.
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  expect([await list('?show=waiting'), await due()]).toEqual([[], 0]);
  const { entries } = await app.call(operator, 'GET', '/api/admin/audit?kind=act');
  expect(entries.map(({ what, reason, subject }: Record<string, TestUser>) => [what, reason, subject?.email])).toEqual([
    ['account_rejected', 'because', null],
    ['account_approved', 'because', 'ada@example.com'],
  ]);
});

test('an account that doesn’t wait is neither approved nor rejected', async () => {
  expect((await act(operator.uid, BECAUSE)).status).toBe(409);
  expect([(await reject(operator.uid)).status, (await reject('nobody')).status]).toEqual([409, 404]);
  expect((await reject(operator.uid, {})).status).toBe(400);
});
