import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { findOwnMemories } from '../memory/manage.service.ts';
import { asSession, type Found, NOTHING } from './found.ts';
import { findPassagesById } from './search-files.queries.ts';
import { findSessionsById } from './search-sessions.queries.ts';
import { findAgentDescriptions, findAgentsById, findSessionNames } from './search-titles.queries.ts';

/** What a search by meaning compares beside memories: session names and agent descriptions. */
export async function findTitles(ctx: Deps, uid: string) {
  const [sessions, agents] = await Promise.all([findSessionNames(ctx.db, uid), findAgentDescriptions(ctx.db, uid)]);
  return [
    ...sessions.map(({ id, text }) => ({ key: `session ${id}`, text })),
    ...agents.map(({ id, text }) => ({ key: `agent ${id}`, text })),
  ];
}

/** The rows in the order of the ids. */
function inOrder<T>(ids: readonly string[], rows: readonly T[], idOf: (row: T) => string): T[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Results near in meaning, nearest first; a memory stands for its exchange too. */
export async function readNear(
  ctx: Deps,
  caller: Caller,
  { q, near, titles }: { q: string; near: string[]; titles: string[] },
): Promise<Found> {
  if (near.length === 0 && titles.length === 0) return NOTHING;
  const why = { by: 'meaning' as const, words: [q], found: [] };
  const told = <T extends { passage: string }>(one: T) => ({
    ...one,
    passage: [{ text: one.passage, hit: false }],
    why,
  });
  const [own, files, named] = await Promise.all([
    findOwnMemories(ctx, caller, near),
    near.length === 0 ? [] : findPassagesById(ctx.db, caller.uid, near),
    readTitles(ctx, caller, titles),
  ]);
  const memories = inOrder(near, own, ({ id }) => id).map((memory) => told({ ...memory, passage: memory.text }));
  return {
    sessions: named.sessions.map((session) => ({ ...asSession(session), why })),
    tasks: memories.flatMap((memory) => asExchange(memory) ?? []),
    memories,
    files: inOrder(near, files, ({ id }) => id).map(told),
    agents: named.agents.map(({ key: _key, ...agent }) => told(agent)),
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
}: Found['memories'][number]) {
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
