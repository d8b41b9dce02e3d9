import type { Caller } from '../../access.ts';
import { passageParts, type Term } from '../../platform/database/text-search.ts';
import type { Deps } from '../../platform/deps.ts';
import { findOwnMemories } from '../memory/manage.service.ts';
import { explain, standingIn } from '../memory/wording.service.ts';
import { asSession, type Found, NOTHING } from './found.ts';
import { findAgents, findPublicAgents } from './search-agents.queries.ts';
import { findExchanges } from './search-exchanges.queries.ts';
import { findPassages } from './search-files.queries.ts';
import { findMemoryPassages } from './search-memories.queries.ts';
import { findSessions } from './search-sessions.queries.ts';

interface Asked {
  words: readonly string[];
  terms: readonly Term[];
  without?: readonly Term[];
  /** Earlier results: kinds that already have enough are not searched. */
  besides?: Found;
  limit: number;
}

/** Results that have all of these terms, each with its passage and the reason. */
export async function findByTerms(
  ctx: Deps,
  caller: Caller,
  { words, besides = NOTHING, ...asked }: Asked,
): Promise<Found> {
  const what = { uid: caller.uid, ...asked };
  const unlessFull = async <T>(kind: keyof Found, find: (db: Deps['db'], search: typeof what) => Promise<T[]>) =>
    besides[kind].length < asked.limit ? await find(ctx.db, what) : [];
  const [sessions, tasks, passages, files, agents, publicAgents] = await Promise.all([
    unlessFull('sessions', findSessions),
    unlessFull('tasks', findExchanges),
    unlessFull('memories', findMemoryPassages),
    unlessFull('files', findPassages),
    unlessFull('agents', findAgents),
    unlessFull('publicAgents', findPublicAgents),
  ]);
  const memories = await findOwnMemories(
    ctx,
    caller,
    passages.map((found) => found.id),
  );
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const told = <T extends { passage: string }>({ passage: marked, ...one }: T) => {
    const passage = passageParts(marked);
    const hits = passage.flatMap(({ text, hit }) => (hit ? text : []));
    return { ...one, passage, why: explain(words, asked.terms, hits) };
  };
  return {
    sessions: sessions.map((session) => ({
      ...asSession(session),
      why: explain(words, asked.terms, standingIn(session.name, asked.terms)),
    })),
    tasks: tasks.map(({ createdAt, ...task }) => ({ ...told(task), timestamp: createdAt.toISOString() })),
    memories: passages.flatMap(({ id, passage }) => {
      const memory = byId.get(id);
      return memory === undefined ? [] : [told({ ...memory, passage })];
    }),
    files: files.map((file) => told(file)),
    agents: agents.map((agent) => told(agent)),
    publicAgents: publicAgents.map((agent) => told(agent)),
  };
}
