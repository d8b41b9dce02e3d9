import type { SearchAnswer, SearchQuery } from '@atelier/contract/search';
import type { Caller } from '../../access.ts';
import { passageParts, searchWords, type Term } from '../../platform/database/text-search.ts';
import type { Deps } from '../../platform/deps.ts';
import { findOwnMemories } from '../memory/manage.service.ts';
import { findByMeaning } from '../memory/near.service.ts';
import { explain, relatedTerms, spelledTerms, standingIn } from '../memory/wording.service.ts';
import {
  findAgentDescriptions,
  findAgentsById,
  findExchanges,
  findMemoryPassages,
  findSessionNames,
  findSessions,
  findSessionsById,
} from './search.queries.ts';
import { findAgents, findPassages, findPassagesById, findPublicAgents } from './search-agents.queries.ts';

/**
 * Searches the caller's own data and public agents: first for all typed words, in any form, the last one perhaps a prefix; then for related
 * words; then by meaning, if there is an embedding model. If nothing was found, words that look mistyped are tried with one letter changed.
 * Text without a word finds nothing.
 */
export async function search(ctx: Deps, caller: Caller, { q, limit }: SearchQuery): Promise<SearchAnswer> {
  const words = searchWords(q);
  if (words.length === 0) return { ...NOTHING, meaning: 'none' };
  const { uid } = caller;
  const meant = findByMeaning(ctx, { userId: uid, text: q, titles: () => findTitles(ctx, uid) });
  let results = await findByTerms(ctx, caller, { words, terms: words, limit });
  const related = relatedTerms(words);
  if (related !== undefined) {
    const beside = { words, terms: related, without: words, limit, besides: results };
    results = join(results, await findByTerms(ctx, caller, beside), limit);
  }
  const { state, near, titles } = await meant;
  results = join(results, await readNear(ctx, caller, { q, near, titles }), limit);
  const spelled = Object.values(results).every((kind) => kind.length === 0) ? spelledTerms(words) : undefined;
  if (spelled !== undefined) results = await findByTerms(ctx, caller, { words, terms: spelled, limit });
  return { ...results, meaning: state };
}

type SearchResults = Omit<SearchAnswer, 'meaning'>;

const NOTHING: SearchResults = { sessions: [], tasks: [], memories: [], files: [], agents: [], publicAgents: [] };

/** Earlier results stay first; duplicates are dropped. */
function join(first: SearchResults, more: SearchResults, limit: number): SearchResults {
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

const asSession = ({ createdAt, ...session }: Awaited<ReturnType<typeof findSessions>>[number]) => ({
  ...session,
  createdAt: createdAt.toISOString(),
});

interface TermSearch {
  words: readonly string[];
  terms: readonly Term[];
  without?: readonly Term[];
  /** Earlier results: kinds that already have enough are not searched. */
  besides?: SearchResults;
  limit: number;
}

/** Results that have all of these terms, each with its passage and the reason. */
async function findByTerms(
  ctx: Deps,
  caller: Caller,
  { words, besides = NOTHING, ...query }: TermSearch,
): Promise<SearchResults> {
  const what = { uid: caller.uid, ...query };
  const unlessFull = async <T>(
    kind: keyof SearchResults,
    find: (db: Deps['db'], search: typeof what) => Promise<T[]>,
  ) => (besides[kind].length < query.limit ? await find(ctx.db, what) : []);
  const [sessions, tasks, passages, files, agents, publicAgents] = await Promise.all([
    unlessFull('sessions', findSessions),
    unlessFull('tasks', findExchanges),
    unlessFull('memories', findMemoryPassages),
    unlessFull('files', findPassages),
    unlessFull('agents', findAgents),
    unlessFull('publicAgents', findPublicAgents),
  ]);
  const found = passages.map(({ id }) => id);
  const memories = await findOwnMemories(ctx, caller, found);
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const withReason = <T extends { passage: string }>({ passage: marked, ...one }: T) => {
    const passage = passageParts(marked);
    const hits = passage.flatMap(({ text, hit }) => (hit ? text : []));
    return { ...one, passage, why: explain(words, query.terms, hits) };
  };
  return {
    sessions: sessions.map((session) => ({
      ...asSession(session),
      why: explain(words, query.terms, standingIn(session.name, query.terms)),
    })),
    tasks: tasks.map(({ createdAt, ...task }) => ({ ...withReason(task), timestamp: createdAt.toISOString() })),
    memories: passages.flatMap(({ id, passage }) => {
      const memory = byId.get(id);
      return memory === undefined ? [] : [withReason({ ...memory, passage })];
    }),
    files: files.map((file) => withReason(file)),
    agents: agents.map((agent) => withReason(agent)),
    publicAgents: publicAgents.map((agent) => withReason(agent)),
  };
}

/** What a search by meaning compares beside memories: session names and agent descriptions. */
async function findTitles(ctx: Deps, uid: string) {
  const [sessions, agents] = await Promise.all([findSessionNames(ctx.db, uid), findAgentDescriptions(ctx.db, uid)]);
  return [
    ...sessions.map(({ id, text }) => ({ key: `session ${id}`, text })),
    ...agents.map(({ id, text }) => ({ key: `agent ${id}`, text })),
  ];
}

function inOrder<T>(ids: readonly string[], rows: readonly T[], idOf: (row: T) => string): T[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Results near in meaning, nearest first; a memory stands for its exchange too. */
async function readNear(
  ctx: Deps,
  caller: Caller,
  { q, near, titles }: { q: string; near: string[]; titles: string[] },
): Promise<SearchResults> {
  if (near.length === 0 && titles.length === 0) return NOTHING;
  const why = { by: 'meaning' as const, words: [q], found: [] };
  const withReason = <T extends { passage: string }>(one: T) => ({
    ...one,
    passage: [{ text: one.passage, hit: false }],
    why,
  });
  const [own, files, named] = await Promise.all([
    findOwnMemories(ctx, caller, near),
    near.length === 0 ? [] : findPassagesById(ctx.db, caller.uid, near),
    readTitles(ctx, caller, titles),
  ]);
  const memories = inOrder(near, own, ({ id }) => id).map((memory) => withReason({ ...memory, passage: memory.text }));
  return {
    sessions: named.sessions.map((session) => ({ ...asSession(session), why })),
    tasks: memories.flatMap((memory) => asExchange(memory) ?? []),
    memories,
    files: inOrder(near, files, ({ id }) => id).map(withReason),
    agents: named.agents.map(({ key: _key, ...agent }) => withReason(agent)),
    publicAgents: [],
  };
}

/** The exchange that a memory came from, if it still exists. */
function asExchange({
  taskId,
  sessionId,
  sessionName = '',
  agentName,
  timestamp,
  passage,
  why,
}: SearchResults['memories'][number]) {
  if (taskId === undefined || sessionId === undefined) return undefined;
  return { id: taskId, sessionId, sessionName, agentName, timestamp, passage, why };
}

async function readTitles(ctx: Deps, { uid }: Caller, titles: readonly string[]) {
  const keysOf = (kind: string) => titles.flatMap((key) => (key.startsWith(kind) ? key.slice(kind.length) : []));
  const [sessionIds, agentIds] = [keysOf('session '), keysOf('agent ')];
  const sessions = await findSessionsById(ctx.db, uid, sessionIds);
  const agents = agentIds.length === 0 ? [] : await findAgentsById(ctx.db, uid, agentIds);
  return {
    sessions: inOrder(sessionIds, sessions, ({ id }) => id),
    agents: inOrder(agentIds, agents, ({ key }) => key),
  };
}
