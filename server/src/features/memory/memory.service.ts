import { setImmediate } from 'node:timers/promises';
import type { MemoryItem } from '@atelier/contract/memory';
import { NIL, v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { afterVersion, findChanges, PORTION, type Source } from './changes.queries.ts';
import type { Reply, WorkerRequest } from './index-cache.ts';
import type { Near } from './meaning.ts';
import { currentVersion, findByIds, raiseVersion } from './memory.queries.ts';
import { memories } from './memory.table.ts';
import { splitText } from './memory-text.ts';
import { placeQuestion } from './question.service.ts';
import type { Ranked } from './ranking.ts';
import { relatedWords } from './related-words.ts';
import { settle } from './settle.ts';
import { warmUpSettling } from './warm-up.ts';
import { createIndexClient, type IndexClient } from './worker-client.ts';

/** One thing said, to be kept. `agentId` and `sessionId` are hidden keys. */
export interface MemoryEntry {
  userId: string;
  agentId: string;
  sessionId: string;
  taskId?: string;
  kind: 'person' | 'agent';
  speaker?: string;
  text: string;
  timestamp: Date;
}

interface RecallPlace {
  userId: string;
  agentId: string;
  sessionId: string;
  /** `session`: only what was said in this session (Free). `agent`: in all sessions and files of the agent (Pro). `files`: files alone. */
  scope: 'session' | 'agent' | 'files';
}

export interface RecallQuery extends RecallPlace {
  text: string;
  limit: number;
}

export interface Recalled extends MemoryItem {
  /** Where it is from, in words: the session's name, or the file's with the place. */
  sessionName: string;
}

export type MemoryContext = Pick<Deps, 'db' | 'processId'> & Partial<Pick<Deps, 'models' | 'log'>>;

/** So many portions of a load may lie before the worker, lest it wait for the next. */
const AHEAD = 2;

const ATTEMPTS = 4;
// Some of the best may have been forgotten or lie in a deleted session since they were indexed; texts may stand twice or nearly.
const OVERFETCH = 2;
// Where that was not enough, more are asked for, up to a bound that a statement takes well.
const WIDEN = 8;
const WIDEST = 2_000;

/**
 * Stores entries of one agent inside the caller's transaction and raises the agent's memory version, by which every process
 * notices. A long text becomes several memories; a blank one none.
 */
export async function remember(_ctx: Pick<Deps, 'db'>, tx: Tx, entries: MemoryEntry[]): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  if (entries.some((e) => e.userId !== first.userId || e.agentId !== first.agentId)) {
    throw new Error('remember takes the entries of one agent at a time');
  }
  const version = await raiseVersion(tx, first);
  const rows = entries.flatMap((entry) => {
    const { timestamp, taskId = null, speaker = null, text, ...keys } = entry;
    const common = { ...keys, taskId, speaker, version, createdAt: timestamp };
    return splitText(text).map((part) => ({ ...common, id: uuidv7(), text: part }));
  });
  for (let i = 0; i < rows.length; i += PORTION) await tx.insert(memories).values(rows.slice(i, i + PORTION));
}

/**
 * The best memories for a text, best first, with scores from 0 to 1; nothing rather than noise. What a later statement of the person
 * replaced stands behind it and bears its id. What another process stored or
 * forgot is seen at once. Only the owner's memories of this agent are ever read.
 */
export async function recall(ctx: MemoryContext, query: RecallQuery): Promise<Recalled[]> {
  for (let wanted = query.limit * OVERFETCH; ; wanted *= WIDEN) {
    const ranked = await rank(ctx, query, wanted);
    const recalled = await keepLiving(ctx, query, ranked);
    if (recalled.length === query.limit || ranked.length < wanted || wanted > WIDEST) return recalled;
  }
}

/** Has what may be asked for loaded before it is asked; returns at once. Where it fails, the question tries again. */
export function prepareRecall(ctx: MemoryContext, place: RecallPlace): void {
  rank(ctx, { ...place, text: '', limit: 1 }, 1).catch((error) => ctx.log?.error('memory.prepare', error));
}

/** Of what the index found, what may be recalled still, in the order in which it counts. */
async function keepLiving(ctx: MemoryContext, query: RecallQuery, ranked: Ranked[]): Promise<Recalled[]> {
  if (ranked.length === 0) return [];
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  const others = new Set(ranked.flatMap(({ rivals }) => rivals).filter((id) => !scores.has(id)));
  const rows = await findByIds(ctx.db, query, [...scores.keys(), ...others]);
  const read = (ids: Iterable<string>) =>
    [...ids].flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : [{ ...row, score: scores.get(id) ?? 0 }];
    });
  const settled = settle(read(scores.keys()), read(others), query.limit);
  return settled.map(({ speaker: _speaker, ...memory }) => ({
    ...memory,
    score: Math.round(memory.score * 1000) / 1000,
  }));
}

const clients = new Map<string, IndexClient>();

/** The index worker of this process, started when first needed. */
export function indexClientOf(ctx: MemoryContext): IndexClient {
  const client = clients.get(ctx.processId) ?? createIndexClient();
  clients.set(ctx.processId, client);
  return client;
}

/**
 * Asks what nobody said, so that the process's index worker is started, statements are put together and code is compiled before
 * somebody asks; resolves once memory is ready.
 */
export async function startMemory(ctx: MemoryContext): Promise<void> {
  const nobody: RecallQuery = { userId: '', agentId: NIL, sessionId: NIL, scope: 'agent', text: '', limit: 1 };
  await recall(ctx, nobody);
  await findByIds(ctx.db, nobody, [NIL]);
  warmUpSettling();
  // Reads the table.
  relatedWords('');
}

/** Ends the process's index worker; for a clean shutdown. */
export async function closeMemory(ctx: MemoryContext): Promise<void> {
  await clients.get(ctx.processId)?.stop();
  clients.delete(ctx.processId);
}

async function rank(ctx: MemoryContext, query: RecallQuery, limit: number): Promise<Ranked[]> {
  const meaning = await placeQuestion(ctx, query);
  const request = { type: 'rank', text: query.text, limit, ...meaning } as const;
  const reply = await askIndex(ctx, query, (about) => ({ ...request, ...about }));
  return reply.type === 'ranked' ? reply.ranked : [];
}

/** What an agent knows that is nearest to a place in meaning, of memories and passages that have a vector. Only the owner's are read. */
export async function findNearest(
  ctx: MemoryContext,
  agent: { userId: string; agentId: string },
  meaning: Int8Array,
  limit: number,
): Promise<Near[]> {
  const place: RecallPlace = { ...agent, sessionId: NIL, scope: 'agent' };
  const reply = await askIndex(ctx, place, (about) => ({ type: 'nearest', meaning, limit, ...about }));
  return reply.type === 'near' ? reply.near : [];
}

type Answer = Extract<Reply, { version: number }>;

/** What the index of a place answers once it has what the database has; it is loaded as far as it is not. */
async function askIndex(
  ctx: MemoryContext,
  place: RecallPlace,
  request: (about: { key: string; version: number }) => WorkerRequest,
): Promise<Answer> {
  const client = indexClientOf(ctx);
  // A session has an index of its own: its words are weighed against each other, not against what must not be recalled.
  const part = { session: place.sessionId, agent: 'all', files: 'files' }[place.scope];
  const key = `${place.userId} ${place.agentId} ${part}`;
  const ask = (version: number) => client.ask(request({ key, version }));
  let wanted: number | undefined;
  for (let attempt = 1; ; ) {
    try {
      // At first whatever index is there may answer, while the database says whether it is the latest.
      const [current, reply]: [number, Reply] =
        wanted === undefined
          ? await Promise.all([currentVersion(ctx.db, place), ask(-1)])
          : [wanted, await ask(wanted)];
      wanted = current;
      const answered = reply.type === 'ranked' || reply.type === 'near';
      if (answered && reply.version >= wanted) return reply;
      if (attempt > ATTEMPTS) throw new Error('the memory index could not be loaded');
      const from = answered ? reply.version : reply.type === 'stale' ? reply.from : -1;
      // Whether somebody else's load went far enough, the next answer tells; it goes further each time.
      const begun = loads.get(`${ctx.processId} ${key}`);
      if (begun === undefined) attempt += 1;
      await (begun ?? beginLoad(ctx, place, key, from, wanted));
    } catch (error) {
      // The worker may have died; the next question starts another.
      attempt += 1;
      if (attempt > ATTEMPTS) throw error;
    }
  }
}

/** The loads that are under way, each by its process and index. */
const loads = new Map<string, Promise<void>>();

function beginLoad(ctx: MemoryContext, query: RecallPlace, key: string, from: number, version: number): Promise<void> {
  const name = `${ctx.processId} ${key}`;
  const begun = load(ctx, query, key, from, version).finally(() => loads.delete(name));
  loads.set(name, begun);
  return begun;
}

/** Where memories of each scope are read. */
const SOURCES = {
  session: ['memories'],
  files: ['passages'],
  agent: ['memories', 'passages'],
} as const satisfies Record<RecallQuery['scope'], readonly Source[]>;

/**
 * Brings the index from one version to another, a portion at a time; the next ones are read while the worker takes one in. Versions
 * are taken under the agent's row lock, so none is missing in between; the index takes the new version with the last portion.
 */
async function load(ctx: MemoryContext, query: RecallPlace, key: string, from: number, version: number): Promise<void> {
  const client = indexClientOf(ctx);
  const { userId, agentId } = query;
  const onlySession = query.scope === 'session' ? query.sessionId : null;
  const wanted = { userId, agentId, onlySession, space: ctx.models?.embedder?.space ?? null };
  const sources: Source[] = [...SOURCES[query.scope]];
  let [continues, after] = [false, afterVersion(from)];
  const waiting: Promise<Reply>[] = [];
  for (let source = sources.shift(); source !== undefined; ) {
    const { packed, next } = await findChanges(ctx.db, source, wanted, after);
    // The embedded database answers without ever giving the thread away; others wait for it too.
    await setImmediate();
    if (waiting.length === AHEAD && (await waiting.shift())?.type === 'stale') return;
    if (next === undefined) source = sources.shift();
    after = next ?? afterVersion(from);
    const done = source === undefined;
    const taken = client.ask({ type: 'load', key, from, continues, version: done ? version : from, packed });
    // It is awaited above or below; until then a failure must not count as unhandled.
    taken.catch(() => {});
    waiting.push(taken);
    continues = true;
  }
  await Promise.all(waiting);
}
