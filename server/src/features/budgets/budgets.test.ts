import { budgetsAnswer } from '@atelier/contract/usage';
import { beforeEach, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { type Answer, emptyApp, PASSWORD, type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { recordTokens, toEntry } from '../ledger/ledger.service.ts';
import { eraseAccount } from '../removal/delete-account.service.ts';

// Two processes on one database, with room for three answers of an account and for five of all.

const env = {
  BUDGET_RUN_TOKENS: '1000',
  BUDGET_ACCOUNT_DAY_TOKENS: '3999',
  BUDGET_SERVER_MONTH_TOKENS: '5999',
  LEASE_MS: '1500',
};
const script = scriptedModels();
let ada: TestUser;
const app = await emptyApp({ models: script.models, env });
const apps = [app, await closing(testApp({ models: script.models, env, database: app.deps.database }))];
beforeEach(async () => {
  ada = await withAgent('Ada');
});

async function withAgent(name: string): Promise<TestUser> {
  const person = await app.signUpPro(name);
  const body = { name: 'Field Notes', prompt: 'p', memoryEnabled: false };
  await app.request('POST', '/api/agents', { as: person, body });
  return person;
}

const sessionsOf = async (person: TestUser, count: number) => {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) ids.push(await app.startSession(person, 'field-notes'));
  return ids;
};
const send = (as: TestUser, sessionId: string, through = app, headers: Record<string, string> = {}) =>
  through.request('POST', `/api/sessions/${sessionId}/tasks`, {
    as,
    body: { agentId: 'field-notes', inputText: 'Hello' },
    headers,
  });
const sendAll = (as: TestUser, sessions: string[]) =>
  Promise.all(sessions.map((id, i) => send(as, id, apps[i % apps.length])));
const accepted = (answers: Answer[]) => answers.filter(({ status }) => status === 202);
const refused = (answers: Answer[]) => answers.filter(({ status }) => status === 429);
const own = async (as = ada) =>
  budgetsAnswer
    .parse((await app.request('GET', '/api/usage/budgets', { as })).body)
    .budgets.find(({ scope }) => scope === 'account');
const nothingRuns = () => eventually(async () => expect((await own())?.use?.reserved).toBe(0));

/** Lets the oldest answers under way end. */
async function endRuns(count: number) {
  for (let i = 0; i < count; i += 1) (await script.next()).say('Fine.').end();
}

it('40 messages at once, through two processes, against room for three: three run, and none over', async () => {
  const answers = await sendAll(ada, await sessionsOf(ada, 40));
  expect(accepted(answers)).toHaveLength(3);
  expect(refused(answers)).toHaveLength(37);
  const [first] = refused(answers);
  expect(first?.body.error).toEqual({
    code: 'too_many_requests',
    message:
      'Your budget of 3,999 tokens a day has no room for another answer until those under way have ended. Please try again in 10 seconds.',
  });
  expect(first?.headers.get('retry-after')).toBe('10');
  expect(await own()).toMatchObject({ most: 3_999, use: { used: 0, reserved: 3_000 } });
  await endRuns(3);
  await nothingRuns();
  // What they took is less than what was reserved.
  expect(await own()).toMatchObject({ use: { used: 45, reserved: 0 } });
});

it('all accounts together keep to the server’s', async () => {
  const people = [ada, await withAgent('Bob'), await withAgent('Cid')];
  const sessions = await Promise.all(people.map((person) => sessionsOf(person, 6)));
  const answers = (await Promise.all(people.map((person, i) => sendAll(person, sessions[i] ?? [])))).flat();
  expect(accepted(answers)).toHaveLength(5);
  expect(refused(answers)).toHaveLength(13);
  expect(refused(answers).some(({ body }) => body.error.message.startsWith('This server’s budget of 5,999'))).toBe(
    true,
  );
  await endRuns(5);
  await nothingRuns();
});

it('the server’s counts the days that are over, also of an account that is gone', async () => {
  const sessions = await sessionsOf(ada, 2);
  const bob = await withAgent('Bob');
  await recordTokens(app.deps, bob.uid, [
    toEntry(
      app.deps.models,
      { purpose: 'answer', model: 'gpt-4' },
      { inputTokens: 5_500, outputTokens: 0, estimated: false },
    ),
  ]);
  await app.deps.database.executeSql(`update token_ledger set at = date_trunc('month', now(), 'UTC')`, []);
  const refuses = async () =>
    expect((await send(ada, sessions[0] ?? '')).body.error.message).toMatch(/^This server’s budget/u);
  await refuses();
  // The first that is accepted or refused on a day adds up those before; on the first of a month there is none.
  const totals = await app.deps.database.executeSql('select input_tokens::int as read from token_totals', []);
  const isFirst = new Date(Date.now() - 3_600_000).getUTCDate() === 1;
  expect(totals.rows).toEqual(isFirst ? [] : [{ read: 5_500 }]);
  await app.request('DELETE', '/api/me', { as: bob, body: { password: PASSWORD } });
  await eraseAccount(app.deps, bob.uid);
  await refuses();
  // A message that follows adds nothing twice.
  await app.deps.database.executeSql(
    'update token_ledger set input_tokens = 0; update token_totals set input_tokens = 4000',
    [],
  );
  expect((await send(ada, sessions[1] ?? '')).status).toBe(202);
  await endRuns(1);
  await nothingRuns();
});

it('says when it opens again once it is used up, and repeats an earlier answer all the same', async () => {
  const [one = '', two = ''] = await sessionsOf(ada, 2);
  const headers = { 'idempotency-key': 'k1' };
  const before = await send(ada, one, app, headers);
  expect(before.status).toBe(202);
  await endRuns(1);
  await nothingRuns();
  await app.deps.database.executeSql('update token_ledger set input_tokens = 3500', []);
  const answer = await send(ada, two);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect([answer.status, answer.body.error.message]).toEqual([
    429,
    `Your budget of 3,999 tokens a day has no room for another answer. It opens again on ${tomorrow} at 00:00 UTC.`,
  ]);
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(86_400);
  const again = await send(ada, one, app, headers);
  expect([again.status, again.body.task.id]).toEqual([202, before.body.task.id]);
  // What was used yesterday is no more of today’s.
  await app.deps.database.executeSql(`update token_ledger set at = at - interval '1 day'`, []);
  expect((await send(ada, two)).status).toBe(202);
  await endRuns(1);
  await nothingRuns();
});

it('a run that is killed gives back what it had reserved', async () => {
  const sessions = await sessionsOf(ada, 4);
  expect(accepted(await sendAll(ada, sessions.slice(0, 3)))).toHaveLength(3);
  expect((await send(ada, sessions[3] ?? '')).status).toBe(429);
  for (let i = 0; i < 3; i += 1) (await script.next()).say('Half an');
  // Their process is gone in the middle: nobody renews their leases.
  await app.deps.database.executeSql('update tasks set lease_owner = gen_random_uuid()', []);
  await nothingRuns();
  expect((await send(ada, sessions[3] ?? '')).status).toBe(202);
  await endRuns(1);
  await nothingRuns();
});

it('tells a run how much it may take', async () => {
  const [id = ''] = await sessionsOf(ada, 1);
  await send(ada, id);
  const call = await script.next();
  expect(call.input).toMatchObject({ maxTokens: 250, allTokens: { tokens: 1_000, window: 1_000 } });
  call.say('Fine.').end();
  await nothingRuns();
});

it('gives a message that waited as much room for tools as one that is sent at once', async () => {
  await app.request('PUT', '/api/agents/field-notes', { as: ada, body: { tools: ['calculator'] } });
  const [id = ''] = await sessionsOf(ada, 1);
  await send(ada, id);
  const atOnce = await script.next();
  const { allTokens = { tokens: 0, window: 0 } } = atOnce.input;
  expect(allTokens.tokens).toBeGreaterThan(allTokens.window);
  const queued = await app.request('POST', `/api/sessions/${id}/queue`, { as: ada, body: { inputText: 'Hello' } });
  expect(queued.status).toBe(201);
  atOnce.say('Fine.').end();
  const waited = await script.next();
  expect(waited.input.allTokens).toEqual(allTokens);
  waited.say('Fine.').end();
  await nothingRuns();
});

it('shows the budgets, to each their own', async () => {
  const [id = ''] = await sessionsOf(ada, 1);
  await send(ada, id);
  const bob = await app.signUp('Bob');
  expect(await own(bob)).toMatchObject({ use: { used: 0, reserved: 0 } });
  const { budgets } = (await app.request('GET', '/api/usage/budgets', { as: bob })).body;
  expect(budgets).toContainEqual(expect.objectContaining({ scope: 'server', period: 'month', most: 5_999, use: null }));
  await endRuns(1);
  await nothingRuns();
});
