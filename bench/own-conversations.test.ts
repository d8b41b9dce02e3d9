import { expect, it } from 'vitest';
import { openTestDatabase } from '../server/src/testing/database.ts';
import { closing } from '../server/src/testing/lifetimes.ts';
import { readConversations } from './conversations.ts';
import { type Measured, mean, measure } from './memory-recall.ts';

const conversations = readConversations(new URL('conversations/own.json', import.meta.url).pathname);
const turns = conversations.flatMap((c) => c.sessions.flatMap((s) => s.turns.map((t) => `${c.id} ${t.id}`)));
const questions = conversations.flatMap((c) => c.questions.map((q) => ({ conversation: c.id, ...q })));

const database = await closing(openTestDatabase());

it('is large enough to tell a change of the ranking from luck', () => {
  expect(turns.length).toBeGreaterThanOrEqual(300);
  expect(questions.length).toBeGreaterThanOrEqual(60);
});

it('asks only for evidence that is there', () => {
  const known = new Set(turns);
  const missing = questions.flatMap((q) => q.evidence.flat().filter((e) => !known.has(`${q.conversation} ${e}`)));
  expect(missing).toEqual([]);
});

it('recalls as much of the evidence as it did when this was measured', async () => {
  const all: Measured[] = [];
  for (const conversation of conversations) all.push(...(await measure(database, conversation)));
  expect(all).toHaveLength(questions.length);
  // Measured: 63.8 and 74.7.
  expect(mean(all, 5)).toBeGreaterThanOrEqual(62);
  expect(mean(all, 10)).toBeGreaterThanOrEqual(73);
});
