import { cosineBetween, fuseMeanings, Meanings, type Near, type Placed } from './meaning.ts';
import { type Entry, MemoryIndex } from './memory-index.ts';
import { type Ranked, rank } from './rank.ts';

/** A row as it is loaded into an index: a tombstone has lost its text. */
export interface Loaded extends Entry {
  forgotten: boolean;
  /** Its place in meaning, where it has one yet. */
  vector?: Int8Array;
}

export type Request =
  | {
      type: 'rank';
      key: string;
      version: number;
      text: string;
      limit: number;
      sessionId?: string;
      /** The question's place in meaning, and those of memories that may have none in the index yet. */
      meaning?: Int8Array;
      fresh?: Placed[];
    }
  /** What is nearest in meaning alone. */
  | { type: 'nearest'; key: string; version: number; meaning: Int8Array; limit: number }
  /** `from`: the version that the rows build on. `continues`: an earlier portion of the same load has come before. */
  | { type: 'load'; key: string; version: number; from?: number; continues?: boolean; rows: Loaded[] }
  /** What the cache holds, for the benches. */
  | { type: 'size' };

/** As the worker is asked: with the rows of a load as the database packed them. */
export type WorkerRequest =
  | Exclude<Request, { type: 'load' }>
  | (Omit<Extract<Request, { type: 'load' }>, 'rows'> & { packed: string });

/** `stale`: the index holds the agent's memories up to `from` only; load what came later, then ask again. */
export type Reply =
  /** `version`: of the index that answered. */
  | { type: 'ranked'; ranked: Ranked[]; version: number }
  | { type: 'near'; near: Near[]; version: number }
  | { type: 'stale'; from: number }
  | { type: 'loaded' }
  | { type: 'size'; indexes: number; bytes: number };

interface Held {
  index: MemoryIndex;
  meanings: Meanings;
  version: number;
  /** What the index took when it was last changed. */
  bytes: number;
}

/** Below this many forgotten rows it is not worth while to build an index again. */
const HOLES_MIN = 1_000;

function takeIn({ index, meanings }: Held, rows: Loaded[]): void {
  const forgotten: string[] = [];
  for (const row of rows) {
    if (row.forgotten) forgotten.push(row.id);
    else index.add(row);
    if (row.vector !== undefined && !row.forgotten) meanings.set(row.id, row.vector);
  }
  for (const id of forgotten) meanings.forget(id);
  if (forgotten.length > 0) index.forget(forgotten);
}

/** By words, and where the question's meaning is known by meaning too. */
function rankByBoth({ index, meanings }: Held, request: Extract<Request, { type: 'rank' }>): Ranked[] {
  const ranked = rank(index, request.text, request.limit, request.sessionId);
  const { meaning, fresh = [], limit } = request;
  if (meaning === undefined) return ranked;
  const near = [
    ...meanings.nearest(meaning, limit),
    ...fresh.map(({ id, vector }) => ({ id, cosine: cosineBetween(vector, meaning) })),
  ];
  return near.length === 0 ? ranked : fuseMeanings(ranked, near, limit);
}

/** The indexes of the agents that were asked last, within a bound in bytes; the one asked longest ago goes first. */
export function createIndexCache(maxBytes: number) {
  const held = new Map<string, Held>();
  let bytes = 0;

  function touch(key: string): Held | undefined {
    const found = held.get(key);
    if (found === undefined) return undefined;
    held.delete(key);
    held.set(key, found);
    return found;
  }

  function drop(key: string): void {
    bytes -= held.get(key)?.bytes ?? 0;
    held.delete(key);
  }

  /** Counts what an index takes now, and lets others go for it. */
  function recount(key: string, changed: Held): void {
    const now = changed.index.bytes + changed.meanings.bytes;
    bytes += now - changed.bytes;
    changed.bytes = now;
    // It is built again from its rows at the next question.
    if (changed.index.holes > Math.max(HOLES_MIN, changed.index.size)) drop(key);
    for (const oldest of held.keys()) {
      // The one that was used last stays, however large: it is needed right now.
      if (bytes <= maxBytes || held.size === 1) return;
      drop(oldest);
    }
  }

  function load(request: Extract<Request, { type: 'load' }>): Reply {
    const found = touch(request.key);
    // Evicted or lost with its worker since it was found stale: what came later is not the whole.
    const lost = found === undefined && request.continues === true;
    if (lost || (found?.version ?? -1) < (request.from ?? -1)) return { type: 'stale', from: found?.version ?? -1 };
    const into = found ?? { index: new MemoryIndex(), meanings: new Meanings(), version: -1, bytes: 0 };
    held.set(request.key, into);
    takeIn(into, request.rows);
    into.version = Math.max(into.version, request.version);
    recount(request.key, into);
    return { type: 'loaded' };
  }

  return {
    handle(request: Request): Reply {
      if (request.type === 'size') return { type: 'size', indexes: held.size, bytes };
      if (request.type === 'load') return load(request);
      const found = touch(request.key);
      if (found === undefined || found.version < request.version) return { type: 'stale', from: found?.version ?? -1 };
      const { version, meanings } = found;
      if (request.type === 'rank') return { type: 'ranked', ranked: rankByBoth(found, request), version };
      return { type: 'near', near: meanings.nearest(request.meaning, request.limit), version };
    },
    keys: () => [...held.keys()],
    bytes: () => bytes,
  };
}
