import type { SearchAnswer, SearchQuery } from '@atelier/contract/search';
import type { Caller } from '../../access.ts';
import { passageParts, searchWords } from '../../platform/database/text-search.ts';
import type { Deps } from '../../platform/deps.ts';
import { findOwnMemories } from '../memory/manage.service.ts';
import { findAgents, findExchanges, findMemoryPassages, findPublicAgents, findSessions } from './search.queries.ts';

const NOTHING: SearchAnswer = { sessions: [], tasks: [], memories: [], agents: [], publicAgents: [] };

/**
 * Searches everything that is the caller's, and public agents, for all the words typed, in any form; the last may be the beginning
 * of one. Text without a word in it finds nothing.
 */
export async function search(ctx: Deps, caller: Caller, { q, limit }: SearchQuery): Promise<SearchAnswer> {
  const words = searchWords(q);
  if (words.length === 0) return NOTHING;
  const what = { uid: caller.uid, words, limit };
  const [sessions, tasks, passages, agents, publicAgents] = await Promise.all([
    findSessions(ctx.db, what),
    findExchanges(ctx.db, what),
    findMemoryPassages(ctx.db, what),
    findAgents(ctx.db, what),
    findPublicAgents(ctx.db, what),
  ]);
  const memories = await findOwnMemories(
    ctx,
    caller,
    passages.map((found) => found.id),
  );
  return {
    sessions: sessions.map(({ createdAt, ...session }) => ({ ...session, createdAt: createdAt.toISOString() })),
    tasks: tasks.map(({ createdAt, passage, ...task }) => ({
      ...task,
      timestamp: createdAt.toISOString(),
      passage: passageParts(passage),
    })),
    memories: passages.flatMap(({ id, passage }) => {
      const memory = memories.find((m) => m.id === id);
      return memory === undefined ? [] : [{ ...memory, passage: passageParts(passage) }];
    }),
    agents: agents.map((agent) => ({ ...agent, passage: passageParts(agent.passage) })),
    publicAgents: publicAgents.map((agent) => ({ ...agent, passage: passageParts(agent.passage) })),
  };
}
