import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Deps } from '../../platform/deps.ts';
import { afterVersion, findChanges, findNewest, type Source } from './changes.queries.ts';
import type { Reply, WorkerRequest } from './index/index-cache.ts';
import { type NewRow, type Position, packRows } from './index/packed-rows.ts';
import type { IndexClient } from './index/worker-client.ts';
import { currentVersion } from './memory.queries.ts';

declare module '../../platform/deps.ts' {
  interface Deps {
    /** The worker that searches the memories of this process. */
    memoryIndex: IndexClient;
  }
}

export type MemoryContext = Pick<Deps, 'db' | 'memoryIndex'> &
  Partial<Pick<Deps, 'models' | 'log' | 'config' | 'settings'>>;

export interface RecallScope {
  userId: string;
  agentId: string;
  sessionId: string;
  /** `session`: memories of this session (Free). `agent`: all sessions and files of the agent (Pro). `files`: files only. */
  scope: 'session' | 'agent' | 'files';
}

/** How many batches of a load may be queued for the worker. */
const AHEAD = 2;

const ATTEMPTS = 4;

type Answer = Extract<Reply, { version: number }>;

/** The newest rows of a large memory have an index of their own, which is loaded first. */
export type Part = 'all' | 'newest';

export interface Question {
  part: Part;
  request: (about: { key: string; version: number }) => WorkerRequest;
  /** How many milliseconds to wait for a load when the newest rows could answer instead; without it, until the load ends. */
  patience?: number | undefined;
  /** The agent's memory version, if the caller reads it anyway. */
  version?: Promise<number> | undefined;
  /** The present index has been asked already. */
  begun?: Promise<Reply> | undefined;
}

/** Asks the index of a place, after loading what it lacks. Undefined when the load took longer than `patience`. */
export async function askIndex(
  ctx: MemoryContext,
  place: RecallScope,
  question: Question,
): Promise<Answer | undefined> {
  const { part, request, patience } = question;
  const key = keyOf(place, part);
  const ask = (version: number) => ctx.memoryIndex.ask(request({ key, version }));
  const readVersion = () => question.version ?? currentVersion(ctx.db, place);
  let wanted: number | undefined;
  for (let attempt = 1; ; ) {
    try {
      // Ask the present index first; meanwhile the database reports its version.
      const [current, reply]: [number, Reply] =
        wanted === undefined
          ? await Promise.all([readVersion(), (attempt === 1 && question.begun) || ask(-1)])
          : [wanted, await ask(wanted)];
      wanted = current;
      const answered = reply.type === 'ranked' || reply.type === 'near';
      if (answered && reply.version >= wanted) return reply;
      if (attempt > ATTEMPTS) throw new Error('the memory index could not be loaded');
      const from = answered ? reply.version : reply.type === 'stale' ? reply.from : -1;
      // The load may have been somebody else's, for an older version. The next reply says so, and each round gets further.
      const begun = ctx.memoryIndex.loads.get(key);
      if (begun === undefined) attempt += 1;
      const loading = begun ?? beginLoad(ctx, place, { part, from, version: wanted });
      if (patience !== undefined && !(await endsWithin(loading, patience)) && (await isLarge(ctx, place)))
        return undefined;
      await loading;
    } catch (error) {
      // The worker may have died; the next question starts another.
      attempt += 1;
      if (attempt > ATTEMPTS) throw error;
    }
  }
}

/** Adds one version's rows to a place's index. One that isn't loaded, or lacks an earlier version, gets them with its next load. */
export async function addToIndex(ctx: MemoryContext, place: RecallScope, version: number, rows: NewRow[]) {
  const key = keyOf(place, 'all');
  const about = { key, from: version - 1, version, continues: true };
  await ctx.memoryIndex.ask({ type: 'load', ...about, packed: packRows(rows) });
}

/** The index of a place. */
export function keyOf({ userId, agentId, sessionId, scope }: RecallScope, part: Part): string {
  // A session has its own index: weights must not depend on memories that may not be recalled.
  const within = { session: sessionId, agent: 'all', files: 'files' }[scope];
  return `${userId} ${agentId} ${within}${part === 'newest' ? ' newest' : ''}`;
}

/** Whether a load ends, even with an error, within some milliseconds. */
async function endsWithin(loading: Promise<void>, patience: number): Promise<boolean> {
  const enough = new AbortController();
  const late = setTimeout(patience, false, { signal: enough.signal }).catch(() => false);
  const ended = loading.then(
    () => true,
    () => true,
  );
  const inTime = await Promise.race([ended, late]);
  enough.abort();
  return inTime;
}

interface Load {
  part: Part;
  /** The version of the index, -1 for none, and the version to reach. */
  from: number;
  version: number;
}

function beginLoad(ctx: MemoryContext, place: RecallScope, wanted: Load): Promise<void> {
  const { loads } = ctx.memoryIndex;
  const key = keyOf(place, wanted.part);
  const begun = load(ctx, place, wanted).finally(() => loads.delete(key));
  // A caller that lost patience doesn't wait for this load; the next one does.
  begun.catch(() => {});
  loads.set(key, begun);
  return begun;
}

/** The sources of each scope. */
const SOURCES = {
  session: ['memories'],
  files: ['passages'],
  agent: ['memories', 'passages'],
} as const satisfies Record<RecallScope['scope'], readonly Source[]>;

/** Where the newest rows of each large source begin. A session is always loaded whole. */
async function newestOf(ctx: MemoryContext, { userId, agentId, scope }: RecallScope) {
  if (scope === 'session') return [];
  return Promise.all(SOURCES[scope].map((source) => findNewest(ctx.db, source, { userId, agentId })));
}
const isLarge = async (ctx: MemoryContext, place: RecallScope) =>
  (await newestOf(ctx, place)).some((start) => start !== undefined);

/**
 * Loads the changes between two versions; the next portion is read while the worker adds the last one. Versions are taken under the agent's
 * row lock, so none is missing. The index gets the new version with the last portion.
 */
async function load(ctx: MemoryContext, place: RecallScope, { part, from, version }: Load): Promise<void> {
  const key = keyOf(place, part);
  const { userId, agentId } = place;
  const onlySession = place.scope === 'session' ? place.sessionId : null;
  const wanted = { userId, agentId, onlySession, space: ctx.models?.embedder?.space ?? null };
  const starts = from === -1 ? await newestOf(ctx, place) : [];
  if (part === 'all' && starts.some((start) => start !== undefined)) {
    // No reply needed: the request itself starts the load.
    await askIndex(ctx, place, {
      part: 'newest',
      request: (about) => ({ type: 'rank', text: '', limit: 1, ...about }),
    });
  }
  const waiting: Promise<Reply>[] = [];
  const sources: readonly Source[] = SOURCES[place.scope];
  let continues = false;
  for (const [number, source] of sources.entries()) {
    let after: Position | undefined = (part === 'newest' && starts[number]) || afterVersion(from);
    while (after !== undefined) {
      const { packed, next } = await findChanges(ctx.db, source, wanted, after);
      // The embedded database never yields the thread by itself; others wait for it too.
      await setImmediate();
      if (waiting.length === AHEAD && (await waiting.shift())?.type === 'stale') return;
      after = next;
      const done = next === undefined && number === sources.length - 1;
      const delivery = ctx.memoryIndex.ask({
        type: 'load',
        key,
        from,
        continues,
        version: done ? version : from,
        packed,
      });
      // Awaited above or below; until then a failure must not count as unhandled.
      delivery.catch(() => {});
      waiting.push(delivery);
      continues = true;
    }
  }
  await Promise.all(waiting);
}
