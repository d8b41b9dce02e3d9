import type { Reply } from './index/index-cache.ts';
import { keyOf, type MemoryContext, type RecallPlace } from './index-worker.service.ts';

const sessionOf = ({ userId, sessionId }: Pick<RecallPlace, 'userId' | 'sessionId'>) => `${userId} ${sessionId}`;

/**
 * Begins to rank for a message of a session that has recalled before, in the same place; returns at once. Nothing is loaded. The run takes
 * the ranking if it turns out to ask the same, and checks its version as it would any other.
 */
export function rankAhead(
  { memoryIndex, models }: MemoryContext,
  session: Pick<RecallPlace, 'userId' | 'sessionId'>,
  text: string,
): void {
  const { asked, begun } = memoryIndex;
  const before = asked.get(sessionOf(session));
  // A question's embedding is part of what is asked.
  if (before === undefined || models?.embedder) return;
  const reply = memoryIndex.ask({ type: 'rank', version: -1, text, ...before });
  // The run that takes it hears of a failure; without one, it is no failure.
  reply.catch(() => {});
  begun.set(sessionOf(session), { ...before, text, reply });
}

/** The ranking that has begun for this question, if there is one; and remembers what the session asks. */
export function takeRanking(
  { memoryIndex }: MemoryContext,
  place: RecallPlace,
  { text, limit }: { text: string; limit: number },
): Promise<Reply> | undefined {
  const { asked, begun } = memoryIndex;
  const session = sessionOf(place);
  const wanted = { key: keyOf(place, 'all'), limit };
  asked.set(session, wanted);
  const found = begun.take(session);
  if (found === undefined) return undefined;
  const isSame = found.key === wanted.key && found.limit === limit && found.text === text;
  return isSame ? found.reply : undefined;
}
