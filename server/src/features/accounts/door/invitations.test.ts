import { beforeEach, expect, test } from 'vitest';
import { emptyApp, type TestUser } from '../../../testing/harness.ts';
import { changeSettings } from '../../settings/settings.service.ts';
import { disableAccount } from '../accounts.closing.service.ts';

let ada: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  ada = await app.signUpByRequest();
});

const invite = (body: unknown, as: TestUser | undefined = ada) =>
  app.request('POST', '/api/invitations', { body, ...(as && { as }) });
const list = async (as = ada) => (await app.request('GET', '/api/invitations', { as })).body;
const remove = (id: string, as = ada) => app.request('DELETE', `/api/invitations/${id}`, { as });

test('members invite only where the operator lets them, and no more than they may, also at once', async () => {
  expect(await list()).toEqual({ invitations: [], most: 0 });
  expect((await invite({})).body.error).toMatchObject({ message: 'Only the operator can invite people here.' });
  await changeSettings(app.deps, { 'member-invitations': 2 });
  const answers = await Promise.all([invite({}), invite({ people: 3, days: 30 }), invite({})]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409]);
  const { invitations, most } = await list();
  expect([invitations.length, most]).toEqual([2, 2]);
  expect((await remove(invitations[0].id)).status).toBe(204);
  expect((await remove(invitations[0].id)).status, 'twice').toBe(404);
  expect((await invite({})).status).toBe(201);
});

test('an invitation brings somebody, once, and is away then', async () => {
  await changeSettings(app.deps, { 'member-invitations': 1 });
  await changeSettings(app.deps, { 'sign-up': 'invitation' });
  const { invitation } = (await invite({})).body;
  const body = { name: 'Bob', email: 'bob@example.com', password: 'a good password', invitation: invitation.token };
  expect((await app.request('POST', '/api/auth/sign-up/email', { body })).status).toBe(200);
  const again = await app.request('POST', '/api/auth/sign-up/email', { body: { ...body, email: 'cyd@example.com' } });
  expect(again.body.code).toBe('INVITATION_USED_UP');
  expect((await list()).invitations).toEqual([]);
  expect((await invite({})).status, 'its place is free').toBe(201);
});

test('what a member has passed on counts no more once members don’t invite, or the member is disabled', async () => {
  await changeSettings(app.deps, { 'member-invitations': 1 });
  const { token } = (await invite({})).body.invitation;
  const state = async () =>
    (await app.request('POST', '/api/auth/door', { body: { invitation: token } })).body.invitation;
  expect(await state()).toBe('open');
  await changeSettings(app.deps, { 'member-invitations': 0 });
  expect(await state()).toBe('INVITATION_ENDED');
  await changeSettings(app.deps, { 'member-invitations': 1 });
  await disableAccount(app.deps, { userId: ada.uid, reason: 'test' });
  expect(await state()).toBe('INVITATION_ENDED');
});

test('signed out, somebody else’s, malformed', async () => {
  await changeSettings(app.deps, { 'member-invitations': 5 });
  const { invitation } = (await invite({})).body;
  const eve = await app.signUpByRequest();
  expect((await list(eve)).invitations).toEqual([]);
  expect((await remove(invitation.id, eve)).status).toBe(404);
  expect((await remove('x')).status).toBe(404);
  for (const [method, path] of [
    ['GET', '/api/invitations'],
    ['POST', '/api/invitations'],
    ['DELETE', `/api/invitations/${invitation.id}`],
  ] as const) {
    expect((await app.request(method, path, method === 'POST' ? { body: {} } : {})).status).toBe(401);
  }
  for (const body of [{ people: 11 }, { people: 0 }, { days: 31 }, { days: 1.5 }, { plan: 'pro' }, { people: '2' }]) {
    expect((await invite(body)).status, JSON.stringify(body)).toBe(400);
  }
});
