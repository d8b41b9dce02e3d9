import { createIndexClient } from '../server/src/features/memory/index/worker-client.ts';
import { recall, toMemories } from '../server/src/features/memory/memory.service.ts';
import type { Database } from '../server/src/platform/database/database.ts';
import type { Conversation, Question, Turn } from './conversations.ts';
import { makeAgent, storeSession } from './made-memories.ts';
import { plainBm25 } from './plain-bm25.ts';

export const CUTS = [5, 10, 20] as const;
export const WIDEST = 20;

type Recall = Record<(typeof CUTS)[number], number>;

/** What is counted: the turns that answer a question, or the sessions they are from. */
export const UNITS = ['passage', 'session'] as const;
/** The share of a question's evidence among the first k passages, by k. */
export type Measured = Record<(typeof UNITS)[number], Recall>;

type Part = Turn & { session: string };

/** What of a question's evidence is among the rows of these parts that were found, best first. */
export function score({ evidence }: Question, parts: Part[], found: number[]): Measured {
  const sessionOf = new Map(parts.map(({ id, session }) => [id, session]));
  const sessions = evidence.map((any) => [...new Set(any.map((id) => sessionOf.get(id) ?? ''))].sort());
  const distinct = new Map(sessions.map((any) => [any.join(), any]));
  return {
    passage: shares(
      evidence,
      found.map((row) => parts[row]?.id),
    ),
    session: shares(
      [...distinct.values()],
      found.map((row) => parts[row]?.session),
    ),
  };
}

/** The share of `wanted`, of which any listed together will do, among the first of those found. */
function shares(wanted: string[][], found: (string | undefined)[]): Recall {
  const within = (k: number) => {
    const first = new Set(found.slice(0, k));
    return wanted.filter((any) => any.some((id) => first.has(id))).length / wanted.length;
  };
  return { 5: within(5), 10: within(10), 20: within(20) };
}

/** The turns as the product stores them: a long one in several parts. */
export const partsOf = (conversation: Conversation): Part[] =>
  conversation.sessions.flatMap((session) =>
    session.turns.flatMap((turn) =>
      toMemories(turn.kind, turn.text).map(({ text }) => ({ ...turn, text, session: session.id })),
    ),
  );

/** The same questions to plain BM25, over the same parts, for each of its settings. */
export function measurePlain(conversation: Conversation): Measured[][] {
  const parts = partsOf(conversation);
  return plainBm25(parts.map(({ text }) => text)).map((search) =>
    conversation.questions.map((question) => score(question, parts, search(question.text).slice(0, WIDEST))),
  );
}

/** Stores a conversation and asks its questions, with the product's own `remember` and `recall`. */
export async function measure(database: Database, conversation: Conversation): Promise<Measured[]> {
  const ctx = { db: database.db, memoryIndex: createIndexClient() };
  const place = await makeAgent(database);
  const parts = partsOf(conversation);
  const rowOfText = new Map(parts.map(({ text }, row) => [text, row]));
  let at = 0;
  let sessionId = '';
  for (const session of conversation.sessions) {
    at = Math.max(at, session.at);
    const said = session.turns.map(({ kind, speaker, text }) => {
      at += 1_000;
      return { kind, ...(speaker && { speaker }), text, timestamp: new Date(at) };
    });
    sessionId = await storeSession(database, place, said);
  }
  const measured: Measured[] = [];
  for (const question of conversation.questions) {
    const found = await recall(ctx, { ...place, sessionId, scope: 'agent', text: question.text, limit: WIDEST });
    const rows = found.map((memory) => rowOfText.get(memory.text) ?? -1);
    measured.push(score(question, parts, rows));
  }
  await ctx.memoryIndex.stop();
  return measured;
}

/** The mean over questions, in percent. */
export function mean(measured: Measured[], k: (typeof CUTS)[number], unit: (typeof UNITS)[number] = 'passage'): number {
  return (100 * measured.reduce((sum, one) => sum + one[unit][k], 0)) / Math.max(1, measured.length);
}
