import { usageAnswer } from '@atelier/contract/usage';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { PASSWORD } from '../../testing/harness.ts';
import { providedApp } from '../../testing/provided-app.ts';
import { runAdminCommand } from '../operator/operator.service.ts';
import { eraseAccount } from '../removal/delete-account.service.ts';
import { atelierRecordTokens, recordTokens, toEntry } from './ledger.service.ts';

const talk = await providedApp({ FACTS: 'model', EMBEDDING_MODEL: 'fake-embedding' });

const today = () => new Date().toISOString().slice(0, 10);
const usageOf = async () => {
  const query = `from=${today()}&to=${today()}`;
  return usageAnswer.parse((await talk.app.request('GET', `/api/usage?${query}`, { as: talk.ada })).body).rows;
};
const csv = async () => {
  const { deps } = talk.app;
  const { ok, message } = await runAdminCommand(deps, ['ledger', '--from', today(), '--to', today()]);
  expect(ok).toBe(true);
  return message.split('\n');
};
const entry = (model = 'gpt-4') =>
  toEntry(talk.app.deps.models, { purpose: 'answer', model }, { inputTokens: 10, outputTokens: 5, estimated: false });

it('has what a message took: its answer, and what models did in the background', async () => {
  await talk.createAgent();
  const ask = await talk.openSession();
  talk.provider.behave({ text: '{"facts": []}' });
  await ask('My sister Nora is allergic to peanuts.');
  const rows = await eventually(async () => {
    const found = await usageOf();
    expect(found.map(({ purpose }) => purpose).toSorted()).toEqual(['answer', 'embedding', 'facts', 'title']);
    return found;
  });
  expect(rows.map(({ purpose, answers, agentName }) => [purpose, answers, agentName]).toSorted()).toEqual([
    ['answer', 1, 'Field Notes'],
    ['embedding', 0, 'Field Notes'],
    ['facts', 0, 'Field Notes'],
    ['title', 0, 'Field Notes'],
  ]);
  for (const { inputTokens, calls } of rows) expect([inputTokens > 0, calls > 0]).toEqual([true, true]);
});

it('adds up what is recorded at once, in the account and for everybody', async () => {
  const { deps } = talk.app;
  const bob = await talk.app.signUp('Bob');
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => recordTokens(deps, i % 2 ? bob.uid : talk.ada.uid, [entry(), entry('other')])),
  );
  const { rows } = await deps.database.executeSql(
    `select user_id, sum(calls)::int as calls, sum(input_tokens)::int as read from token_ledger group by 1`,
    [],
  );
  expect(rows).toEqual(
    expect.arrayContaining([bob.uid, talk.ada.uid].map((user_id) => ({ user_id, calls: 20, read: 200 }))),
  );
});

// The embedded database has one connection, where nobody waits for a row.
it.runIf(process.env.TEST_DATABASE_URL !== undefined)('an end of an answer waits for no other account’s', async () => {
  const { db } = talk.app.deps;
  const bob = await talk.app.signUp('Bob');
  for (const uid of [talk.ada.uid, bob.uid]) await recordTokens({ db }, uid, [entry()]);
  const [isStored, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const open = db.transaction(async (tx) => {
    await recordTokens({ db: tx }, talk.ada.uid, [entry()]);
    isStored.resolve();
    await mayEnd.promise;
  });
  await isStored.promise;
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = '5s'`);
      await tx.execute(sql`select ${atelierRecordTokens.call({ uid: bob.uid, tokens: [entry()] })}`);
    });
  } finally {
    mayEnd.resolve();
    await open;
  }
  const { rows } = await talk.app.deps.database.executeSql('select calls from token_ledger', []);
  expect(rows).toEqual([{ calls: 2 }, { calls: 2 }]);
});

it('goes with its account, and what it took stays as nobody’s', async () => {
  const { app, ada } = talk;
  await recordTokens(app.deps, ada.uid, [entry()]);
  expect(await csv()).toEqual([
    'account,day,model,purpose,calls,tokens_read,tokens_written,estimated_calls,currency,cost',
    `"${ada.email}","${today()}","gpt-4","answer",1,10,5,0,"",`,
  ]);
  await app.request('DELETE', '/api/me', { as: ada, body: { password: PASSWORD } });
  await eraseAccount(app.deps, ada.uid);
  // A call that ends after its account is gone.
  await recordTokens(app.deps, ada.uid, [entry()]);
  const { rows } = await app.deps.database.executeSql('select distinct user_id from token_ledger', []);
  expect(rows).toEqual([{ user_id: '' }]);
  expect((await csv()).slice(1)).toEqual([`"","${today()}","gpt-4","answer",2,20,10,0,"",`]);
});

it('counts an answer that was stopped, about', async () => {
  const { app, ada } = talk;
  await talk.createAgent();
  const sessionId = await app.startSession(ada, 'field-notes');
  talk.provider.behave({ mode: 'silence' });
  const body = { agentId: 'field-notes', inputText: 'Tell me everything' };
  const { task } = (await app.request('POST', `/api/sessions/${sessionId}/tasks`, { as: ada, body })).body;
  await eventually(() => expect(talk.provider.requests.some(({ isAnswer }) => isAnswer)).toBe(true));
  await app.request('POST', `/api/sessions/${sessionId}/tasks/${task.id}/cancel`, { as: ada });
  await eventually(async () => {
    const answers = (await usageOf()).filter(({ purpose }) => purpose === 'answer');
    expect(answers).toMatchObject([{ answers: 1, estimated: 1 }]);
    expect(answers[0]?.inputTokens).toBeGreaterThan(0);
  });
});

it('counts nothing where an answer is stopped while it waits for a busy provider', async () => {
  const { app, ada } = talk;
  await talk.createAgent();
  const path = `/api/sessions/${await app.startSession(ada, 'field-notes')}/tasks`;
  talk.provider.behave({ mode: 'error', status: 429, retryAfter: '20' });
  const body = { agentId: 'field-notes', inputText: 'Tell me everything' };
  const { task } = (await app.request('POST', path, { as: ada, body })).body;
  const now = async () => (await app.request('GET', `${path}/${task.id}`, { as: ada })).body.task;
  await eventually(async () => expect((await now()).wait).toContain('429'));
  await app.request('POST', `${path}/${task.id}/cancel`, { as: ada });
  await eventually(async () => expect((await now()).status).toBe('cancelled'));
  expect((await usageOf()).filter(({ purpose }) => purpose === 'answer')).toEqual([]);
});

it.each([[[]], [['calculator']]])('counts an answer that ended without a word, once (tools: %j)', async (tools) => {
  const { app, ada } = talk;
  await app.call(ada, 'POST', '/api/agents', { name: 'Field Notes', prompt: 'You help me', tools });
  const sessionId = await app.startSession(ada, 'field-notes');
  talk.provider.behave({ text: '', finishReason: 'length' });
  const body = { sessionId, agentId: 'field-notes', inputText: 'Tell me everything' };
  await app.request('POST', '/api/runAgentTask', { as: ada, body });
  const answers = (await usageOf()).filter(({ purpose }) => purpose === 'answer');
  expect(answers).toMatchObject([{ calls: 1, inputTokens: 11, outputTokens: 0, estimated: 0 }]);
});

it.each([[[]], [['--from', 'x', '--to', 'y']], [['--from', '2026-11-02', '--to', '2026-11-01']]])(
  'the command refuses %j',
  async (args) => {
    expect(await runAdminCommand(talk.app.deps, ['ledger', ...args])).toMatchObject({ ok: false });
  },
);
