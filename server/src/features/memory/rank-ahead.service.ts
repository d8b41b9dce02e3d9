import type { Reply } from './index/index-cache.ts';
import { keyOf, type MemoryContext, type RecallScope } from './index-worker.service.ts';

type Session = Pick<RecallScope, 'userId' | 'sessionId'>;
const sessionOf = ({ userId, sessionId }: Session) => `${userId} ${sessionId}`;

/** A ranking that began before it was known whether its message is accepted. */
export interface Ahead {
  key: string;
  limit: number;
  text: string;
  reply: Promise<Reply>;
}

/**
 * Begins to rank for a message of a session that has recalled before, in the same place; returns at once. Nothing is loaded. Recall takes
 * the ranking if it turns out to ask the same, and checks its version as it would any other.
 */
export function rankAhead({ memoryIndex, models }: MemoryContext, session: Session, text: string): Ahead | undefined {
  const before = memoryIndex.latest.get(sessionOf(session));
  // A question's embedding is part of what is asked.
  if (before === undefined || models?.embedder) return undefined;
  const reply = memoryIndex.ask({ type: 'rank', version: -1, text, ...before });
  // A run that takes it hears of a failure; untaken, it is none.
  reply.catch(() => {});
  return { ...before, text, reply };
}

/** The reply that was begun ahead, if it is for this question; and remembers what the session asks. */
export function takeRanking(
  { memoryIndex }: MemoryContext,
  query: RecallScope & { text: string },
  limit: number,
  ahead: Ahead | undefined,
): Promise<Reply> | undefined {
  const key = keyOf(query, 'all');
  memoryIndex.latest.set(sessionOf(query), { key, limit });
  const isSame = ahead?.key === key && ahead.limit === limit && ahead.text === query.text;
  return isSame ? ahead.reply : undefined;
}
