import { createIndexClient } from '../server/src/features/memory/index/worker-client.ts';
import { recall, toMemories } from '../server/src/features/memory/memory.service.ts';
import type { Database } from '../server/src/platform/database/database.ts';
import type { Conversation, Question, Turn } from './conversations.ts';
import { makeAgent, storeSession } from './made-memories.ts';
import { plainBm25 } from './plain-bm25.ts';

export const CUTS = [5, 10, 20] as const;
export const WIDEST = 20;

export interface Measured {
  category: number;
  /** The share of the evidence among the first k, by k. */
  recall: Record<(typeof CUTS)[number], number>;
}

/** What of a question's evidence is among the found turns, best first. */
export function score(question: Question, found: (string | undefined)[]): Measured {
  const within = (k: number) => {
    const first = new Set(found.slice(0, k));
    return question.evidence.filter((any) => any.some((id) => first.has(id))).length / question.evidence.length;
  };
  return { category: question.category, recall: { 5: within(5), 10: within(10), 20: within(20) } };
}

/** The turns as the product stores them: a long one in several parts. */
export const partsOf = (conversation: Conversation): (Turn & { session: string })[] =>
  conversation.sessions.flatMap((session) =>
    session.turns.flatMap((turn) =>
      toMemories(turn.kind, turn.text).map(({ text }) => ({ ...turn, text, session: session.id })),
    ),
  );

/** The same questions to plain BM25, over the same parts, for each of its settings. */
export function measurePlain(conversation: Conversation): Measured[][] {
  const parts = partsOf(conversation);
  return plainBm25(parts.map(({ text }) => text)).map((search) =>
    conversation.questions.map((question) =>
      score(
        question,
        search(question.text)
          .slice(0, WIDEST)
          .map((at) => parts[at]?.id),
      ),
    ),
  );
}

/** Stores a conversation and asks its questions, with the product's own `remember` and `recall`. */
export async function measure(database: Database, conversation: Conversation): Promise<Measured[]> {
  const ctx = { db: database.db, memoryIndex: createIndexClient() };
  const place = await makeAgent(database);
  const idOfText = new Map(partsOf(conversation).map(({ text, id }) => [text, id]));
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
    measured.push(
      score(
        question,
        found.map((memory) => idOfText.get(memory.text)),
      ),
    );
  }
  await ctx.memoryIndex.stop();
  return measured;
}

/** The mean over questions, in percent. */
export function mean(measured: Measured[], k: (typeof CUTS)[number]): number {
  return (100 * measured.reduce((sum, m) => sum + m.recall[k], 0)) / Math.max(1, measured.length);
}
