import { searchAnswer } from '@atelier/contract/search';
import { expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { jobsEnd } from '../../testing/jobs-end.ts';
import { providedApp } from '../../testing/provided-app.ts';
import { recall } from '../memory/memory.service.ts';

const DAY_TOKENS = 40_000;
const talk = await providedApp({
  EMBEDDING_MODEL: 'fake-embedding',
  BUDGET_RUN_TOKENS: '1000',
  BUDGET_ACCOUNT_DAY_TOKENS: `${DAY_TOKENS}`,
});

const sql = async (text: string, values: unknown[] = []) =>
  (await talk.app.deps.database.executeSql(text, values)).rows;
const find = async (q: string) =>
  searchAnswer.parse((await talk.app.request('GET', `/api/search?q=${q}`, { as: talk.ada })).body);
const titles = () =>
  talk.provider.requests.filter(({ path, isAnswer }) => path.endsWith('/chat/completions') && !isAnswer).length;
const embeddings = () => talk.provider.requests.filter(({ path }) => path.endsWith('/embeddings')).length;

/** What a program asks of the memory, beside any answer. */
async function recalled(text: string) {
  const [agent] = await sql('select id from agents');
  const place = { userId: talk.ada.uid, agentId: String(agent?.id), sessionId: crypto.randomUUID() };
  return recall(talk.app.deps, { ...place, scope: 'agent', text, limit: 5 });
}

it('a budget that is used up stops searches by meaning, and names for sessions, until it opens again', async () => {
  await talk.createAgent();
  await (await talk.openSession())('My sister Nora is allergic to peanuts.');
  await jobsEnd(talk.app);
  await eventually(async () => expect((await find('peanuts')).meaning).toBe('done'));
  await recalled('Who is allergic?');
  const before = embeddings();
  expect([before > 2, titles()]).toEqual([true, 1]);

  // What is left is too little for anything but an answer.
  await sql('update token_ledger set input_tokens = $1, output_tokens = 0 where purpose = $2', [
    DAY_TOKENS - 1_500,
    'answer',
  ]);
  await sql(`update token_ledger set input_tokens = 0, output_tokens = 0 where purpose <> 'answer'`);
  await (await talk.openSession())('Hello');
  await jobsEnd(talk.app);
  expect(titles()).toBe(1);
  await sql('update token_ledger set input_tokens = $1 where purpose = $2', [DAY_TOKENS, 'answer']);
  const used = embeddings();
  await eventually(async () =>
    expect(await find('peanuts')).toMatchObject({ meaning: 'none', memories: [expect.anything()] }),
  );
  expect((await recalled('Who is allergic?')).map(({ text }) => text).join()).toContain('peanuts');
  expect(embeddings()).toBe(used);

  await sql(`update token_ledger set at = at - interval '1 day'`);
  await eventually(async () => expect((await find('peanuts')).meaning).toBe('done'));
  await (await talk.openSession())('Hello again');
  await jobsEnd(talk.app);
  expect([titles(), embeddings() > used]).toEqual([2, true]);
});
