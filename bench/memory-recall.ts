import { v7 as uuidv7 } from 'uuid';
import { createIndexClient } from '../server/src/features/memory/index/worker-client.ts';
import { recall, remember } from '../server/src/features/memory/memory.service.ts';
import type { Database } from '../server/src/platform/database/database.ts';
import type { Conversation } from './conversations.ts';

export const CUTS = [5, 10, 20] as const;

export interface Measured {
  category: number;
  /** The share of the evidence among the first k, by k. */
  recall: Record<(typeof CUTS)[number], number>;
}

/** Stores a conversation, one memory a turn, and asks its questions, with the product's own `remember` and `recall`. */
export async function measure(database: Database, conversation: Conversation): Promise<Measured[]> {
  const ctx = { db: database.db, memoryIndex: createIndexClient() };
  const userId = uuidv7();
  const agentId = uuidv7();
  await database.executeSql(`insert into "user" (id, name, email) values ($1, 'Bench', $2)`, [
    userId,
    `${userId}@bench`,
  ]);
  await database.executeSql(
    `insert into agents (user_id, id, slug, name, prompt, model, temperature, memory_enabled)
     values ($1, $2, 'bench', 'Bench', 'p', 'gpt-4', 0.5, true)`,
    [userId, agentId],
  );
  const idOfText = new Map<string, string>();
  let at = 0;
  let sessionId = '';
  for (const session of conversation.sessions) {
    sessionId = uuidv7();
    await database.executeSql(`insert into chat_sessions (user_id, id, agent_id, name) values ($1, $2, $3, $4)`, [
      userId,
      sessionId,
      agentId,
      session.id,
    ]);
    at = Math.max(at, session.at);
    const entries = session.turns.map((turn) => {
      at += 1_000;
      idOfText.set(turn.text.slice(0, 900), turn.id);
      const { speaker, text } = turn;
      return { userId, agentId, sessionId, kind: 'person' as const, speaker, text, timestamp: new Date(at) };
    });
    await database.db.transaction((tx) => remember(tx, entries));
  }
  const measured: Measured[] = [];
  for (const question of conversation.questions) {
    const limit = CUTS[CUTS.length - 1] ?? 20;
    const found = await recall(ctx, { userId, agentId, sessionId, scope: 'agent', text: question.text, limit });
    const ids = found.map((memory) => idOfText.get(memory.text.slice(0, 900)));
    const within = (k: number) => question.evidence.filter((e) => ids.slice(0, k).includes(e)).length;
    const shares = CUTS.map((k) => [k, within(k) / question.evidence.length]);
    measured.push({ category: question.category, recall: Object.fromEntries(shares) });
  }
  await ctx.memoryIndex.stop();
  return measured;
}

/** The mean over questions, in percent. */
export function mean(measured: Measured[], k: (typeof CUTS)[number]): number {
  return (100 * measured.reduce((sum, m) => sum + m.recall[k], 0)) / Math.max(1, measured.length);
}
