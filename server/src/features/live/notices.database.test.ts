import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, PASSWORD, type TestUser } from '../../testing/harness.ts';
import { rememberingOf } from '../../testing/remembering.ts';
import { disableAccount, enableAccount } from '../accounts/accounts.closing.service.ts';
import { purgeSession } from '../removal/delete-session.service.ts';

let ada: TestUser;
let bob: TestUser;
const { openPlace, store, query } = rememberingOf(
  () => app,
  () => ada,
);
const app = await emptyApp();
beforeEach(async () => {
  ada = await app.signUp('Ada');
  bob = await app.signUp('Bob');
});

/** What the user's open pages are told from now on, as `topic id`. */
async function noticesOf(user: TestUser): Promise<string[]> {
  const heard: string[] = [];
  app.deps.live.subscribe(user.uid, (message) => {
    if (message.event === 'changed') heard.push(`${message.data.topic} ${message.data.id}`);
  });
  // Notices come in the order of their commits: after this one, none of what was done before.
  await app.deps.db.transaction((tx) => app.deps.live.notify(tx, user.uid, 'tools', 'mark'));
  await eventually(() => expect(heard).toContain('tools mark'));
  heard.length = 0;
  return heard;
}

const hear = (heard: string[], ...notices: string[]) =>
  eventually(() => expect(heard).toEqual(expect.arrayContaining(notices)));

async function publish(as: TestUser) {
  await query(`update profiles set subscription_status = 'pro' where user_id = $1`, as.uid);
  const body = { name: 'Tea Time', prompt: 'You pour tea', isPublic: true };
  expect((await app.request('POST', '/api/agents', { as, body })).status).toBe(201);
  return `${as.uid}/tea-time`;
}

it('tells of the count of agents when one is created', async () => {
  const heard = await noticesOf(ada);
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
  await hear(heard, `account ${ada.uid}`);
});

it('tells of the memories that go with a deleted agent', async () => {
  await store(await openPlace(), 'My sister is allergic to peanuts');
  const heard = await noticesOf(ada);
  await app.request('DELETE', '/api/agents/field-notes', { as: ada });
  await hear(heard, `memories ${ada.uid}`);
});

it('tells of the memories that go with a session once its undo has passed', async () => {
  const place = await openPlace();
  await store(place, 'My sister is allergic to peanuts');
  await app.request('DELETE', `/api/sessions/${place.sessionId}`, { as: ada });
  await query(`update chat_sessions set deleted_at = now() - interval '1 hour'`);
  const heard = await noticesOf(ada);
  await purgeSession(app.deps, { userId: ada.uid, sessionId: place.sessionId });
  await hear(heard, `memories ${ada.uid}`);
});

it('tells everybody when an author is disabled, enabled again or gone', async () => {
  await publish(bob);
  const heard = await noticesOf(ada);
  await disableAccount(app.deps, { userId: bob.uid, reason: 'test' });
  await hear(heard, 'explore ');
  heard.length = 0;
  await enableAccount(app.deps, bob.uid);
  await hear(heard, 'explore ');
  heard.length = 0;
  await query(`delete from "user" where id = $1`, bob.uid);
  await hear(heard, 'explore ');
});

it('tells an author when somebody who favorited their agent deletes the account', async () => {
  const agent = await publish(ada);
  await app.request('PUT', `/api/favorites/${agent}`, { as: bob });
  const heard = await noticesOf(ada);
  await app.request('DELETE', '/api/me', { as: bob, body: { password: PASSWORD } });
  await hear(heard, 'agents ');
  const { body } = await app.request('GET', '/api/agents', { as: ada });
  expect(body.agents[0].favoriteCount).toBe(0);
});

it('tells everybody when the operator’s tools change', async () => {
  const heard = await noticesOf(ada);
  await query(`insert into operator_tool_pins (server, name) values ('docs', 'find')`);
  await hear(heard, 'tools ');
});

it('tells of a payment when it is issued and when it is handed out', async () => {
  const heard = await noticesOf(ada);
  await app.request('POST', '/api/billing/checkout', { as: ada });
  await eventually(() => expect(heard.filter((notice) => notice === `account ${ada.uid}`).length).toBe(2));
});
