import type { SearchAnswer } from '@atelier/contract/search';
import type { findSessions } from './search-sessions.queries.ts';

/** What a search finds, by kind. */
export type Found = Omit<SearchAnswer, 'meaning'>;

export const NOTHING: Found = { sessions: [], tasks: [], memories: [], files: [], agents: [], publicAgents: [] };

/** Earlier results stay first; duplicates are dropped. */
export function join(first: Found, more: Found, limit: number): Found {
  const both = <T>(a: T[], b: T[], key: (one: T) => string) => {
    const seen = new Map<string, T>();
    for (const one of [...a, ...b]) if (!seen.has(key(one))) seen.set(key(one), one);
    return [...seen.values()].slice(0, limit);
  };
  const byId = (one: { id: string }) => one.id;
  return {
    sessions: both(first.sessions, more.sessions, byId),
    tasks: both(first.tasks, more.tasks, byId),
    memories: both(first.memories, more.memories, byId),
    files: both(first.files, more.files, byId),
    agents: both(first.agents, more.agents, byId),
    publicAgents: both(first.publicAgents, more.publicAgents, ({ creatorId, id }) => `${creatorId} ${id}`),
  };
}

/** A session as results show it. */
export const asSession = ({ createdAt, ...session }: Awaited<ReturnType<typeof findSessions>>[number]) => ({
  ...session,
  createdAt: createdAt.toISOString(),
});
