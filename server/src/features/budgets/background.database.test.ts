import { budgetsAnswer } from '@atelier/contract/usage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { scriptedModels } from '../../testing/scripted-models.ts';
import { askInBackground } from './background.service.ts';

const TOOK = { inputTokens: 10, outputTokens: 5, estimated: false };
const script = scriptedModels();
let apps: TestApp[];
let app: TestApp;
let ada: TestUser;

/** Two processes on one database. */
function withBudget(budget: Record<string, string>) {
  beforeAll(async () => {
    const env = { BUDGET_RUN_TOKENS: '1000', ...budget };
    app = await testApp({ models: script.models, env });
    apps = [app, await testApp({ models: script.models, env, database: app.deps.database })];
  });
  afterAll(async () => {
    for (const one of apps.toReversed()) await one.close();
  });
  beforeEach(async () => {
    await app.reset();
    ada = await app.signUpPro('Ada');
  });
}

/** Begins so many calls at once, by turns in both processes: each that has room waits for `end`. */
function begin(person: TestUser, count: number) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  let begun = 0;
  const call = { uid: person.uid, purpose: 'title', model: 'gpt-4', tokens: 1_000, timeoutMs: 60_000 } as const;
  const answers = Array.from({ length: count }, (_, i) =>
    askInBackground((apps[i % apps.length] ?? app).deps, call, async ({ onTokens }) => {
      begun += 1;
      await ended;
      onTokens(TOOK);
      return 'A title';
    }),
  );
  return { end, answers, begun: () => begun };
}

async function use() {
  const { budgets } = budgetsAnswer.parse((await app.request('GET', '/api/usage/budgets', { as: ada })).body);
  return budgets.find(({ scope }) => scope === 'account')?.use;
}

/** Waits until all but `running` of these calls were refused. */
async function refusals(calls: ReturnType<typeof begin>, running: number) {
  let count = 0;
  for (const answer of calls.answers) void answer.then((text) => (count += text === null ? 1 : 0));
  await eventually(() => expect(count).toBe(calls.answers.length - running));
}

describe('a budget of each account, with room for three', () => {
  withBudget({ BUDGET_ACCOUNT_DAY_TOKENS: '3999' });

  it('40 calls at once in the background, in two processes: three begin', async () => {
    const calls = begin(ada, 40);
    await refusals(calls, 3);
    expect([calls.begun(), await use()]).toEqual([3, { used: 0, reserved: 3_000 }]);
    // An answer finds no room either.
    await app.request('POST', '/api/agents', { as: ada, body: { name: 'Field Notes', prompt: 'p' } });
    const sessionId = await app.startSession(ada, 'field-notes');
    const body = { agentId: 'field-notes', inputText: 'Hello' };
    const send = () => app.request('POST', `/api/sessions/${sessionId}/tasks`, { as: ada, body });
    expect((await send()).status).toBe(429);
    calls.end();
    await Promise.all(calls.answers);
    expect(await use()).toEqual({ used: 45, reserved: 0 });
    expect((await send()).status).toBe(202);
    (await script.next()).say('Fine.').end();
    await eventually(async () => expect((await use())?.reserved).toBe(0));
  });

  it('calls and answers that begin at once share the room', async () => {
    await app.request('POST', '/api/agents', {
      as: ada,
      body: { name: 'Field Notes', prompt: 'p', memoryEnabled: false },
    });
    const sessions: string[] = [];
    for (let i = 0; i < 20; i += 1) sessions.push(await app.startSession(ada, 'field-notes'));
    const body = { agentId: 'field-notes', inputText: 'Hello' };
    const calls = begin(ada, 20);
    const answers = await Promise.all(
      sessions.map((id, i) =>
        (apps[i % apps.length] ?? app).request('POST', `/api/sessions/${id}/tasks`, { as: ada, body }),
      ),
    );
    const runs = answers.filter(({ status }) => status === 202).length;
    await refusals(calls, 3 - runs);
    expect([calls.begun() + runs, (await use())?.reserved]).toEqual([3, 3_000]);
    calls.end();
    for (let i = 0; i < runs; i += 1) (await script.next()).say('Fine.').end();
    await Promise.all(calls.answers);
    await eventually(async () => expect((await use())?.reserved).toBe(0));
  });

  it('a call that fails gives back what it reserved, and one whose process was killed when its time is over', async () => {
    const call = { uid: ada.uid, purpose: 'facts', model: 'gpt-4', tokens: 1_000, timeoutMs: 20_000 } as const;
    const fails = askInBackground(app.deps, call, async ({ onTokens }) => {
      onTokens(TOOK);
      throw new Error('The provider is away.');
    });
    await expect(fails).rejects.toThrow('away');
    expect(await use()).toEqual({ used: 15, reserved: 0 });

    const killed = begin(ada, 3);
    await eventually(() => expect(killed.begun()).toBe(3));
    const again = () => askInBackground(app.deps, { ...call, tokens: 2_000 }, async () => 'done');
    expect(await again()).toBeNull();
    // Nobody ends them. Their time passes.
    await app.deps.database.executeSql(`update budget_reservations set until = until - interval '70 seconds'`, []);
    expect((await use())?.reserved).toBe(0);
    expect(await again()).toBe('done');
    const left = await app.deps.database.executeSql('select id from budget_reservations', []);
    expect(left.rows).toEqual([]);
    killed.end();
    await Promise.all(killed.answers);
  });
});

describe('a budget of the server, with room for five', () => {
  withBudget({ BUDGET_SERVER_MONTH_TOKENS: '5999' });

  it('calls of ten accounts at once, in two processes, keep to it', async () => {
    const people = [ada];
    while (people.length < 10) people.push(await app.signUpPro('Person'));
    const all = people.map((person) => begin(person, 4));
    let refused = 0;
    for (const { answers } of all)
      for (const answer of answers) void answer.then((text) => (refused += text === null ? 1 : 0));
    await eventually(() => expect(refused).toBe(35));
    expect(all.reduce((sum, calls) => sum + calls.begun(), 0)).toBe(5);
    for (const { end } of all) end();
    await Promise.all(all.flatMap(({ answers }) => answers));
  });
});
