import type { Ranked } from './fuse.ts';
import { Meanings, type Near, type RowVector } from './meaning.ts';
import { type Entry, MemoryIndex } from './memory-index.ts';
import { rank } from './rank.ts';

/** A row as loaded into an index; a tombstone has no text. */
export interface Loaded extends Entry {
  forgotten: boolean;
  /** Its embedding, when it has one. */
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
      /** The question's embedding, and those of memories that may have none in the index yet. */
      meaning?: Int8Array;
      fresh?: RowVector[];
    }
  /** The memories nearest in meaning. */
  | { type: 'nearest'; key: string; version: number; meaning: Int8Array; limit: number }
  /** `from`: the version that the rows build on. `continues`: an earlier portion of the same load came before. */
  | { type: 'load'; key: string; version: number; from?: number; continues?: boolean; rows: Loaded[] }
  /** The size of the cache, for benches. */
  | { type: 'size' };

/** A request to the worker; the rows of a load are still packed. */
export type WorkerRequest =
  | Exclude<Request, { type: 'load' }>
  | (Omit<Extract<Request, { type: 'load' }>, 'rows'> & { packed: string });

/** `stale`: the index has the agent's memories up to `from` only; load the later ones and ask again. */
export type Reply =
  /** `version`: the version of the index that answered. */
  | { type: 'ranked'; ranked: Ranked[]; version: number }
  | { type: 'near'; near: Near[]; version: number }
  | { type: 'stale'; from: number }
  | { type: 'loaded' }
  | { type: 'size'; indexes: number; bytes: number };

interface LoadedIndex {
  index: MemoryIndex;
  meanings: Meanings;
  version: number;
  /** The size of the index after its last change. */
  bytes: number;
}

/** With fewer forgotten rows, rebuilding the index isn't worth it. */
const HOLES_MIN = 1_000;

function takeIn({ index, meanings }: LoadedIndex, rows: Loaded[]): void {
  const forgotten: string[] = [];
  for (const row of rows) {
    if (row.forgotten) forgotten.push(row.id);
    else index.add(row);
    if (row.vector !== undefined && !row.forgotten) meanings.set(row.id, row.vector);
  }
  for (const id of forgotten) meanings.forget(id);
  if (forgotten.length > 0) index.forget(forgotten);
}

/** Ranks by words, and also by meaning when the question has an embedding. */
function rankRequest({ index, meanings }: LoadedIndex, request: Extract<Request, { type: 'rank' }>): Ranked[] {
  const { text, limit, sessionId, meaning, fresh = [] } = request;
  const near = meaning === undefined ? [] : meanings.nearest(meaning, limit, fresh);
  return rank(index, text, limit, { sessionId, near });
}

/** Keeps the most recently used indexes within a bound in bytes. */
export function createIndexCache(maxBytes: number) {
  const indexes = new Map<string, LoadedIndex>();
  let bytes = 0;

  function touch(key: string): LoadedIndex | undefined {
    const entry = indexes.get(key);
    if (entry === undefined) return undefined;
    indexes.delete(key);
    indexes.set(key, entry);
    return entry;
  }

  function drop(key: string): void {
    bytes -= indexes.get(key)?.bytes ?? 0;
    indexes.delete(key);
  }

  /** Updates the size of an index and evicts others if needed. */
  function recount(key: string, changed: LoadedIndex): void {
    const now = changed.index.bytes + changed.meanings.bytes;
    bytes += now - changed.bytes;
    changed.bytes = now;
    // The next question builds it again from its rows.
    if (changed.index.holes > Math.max(HOLES_MIN, changed.index.size)) drop(key);
    for (const oldest of indexes.keys()) {
      // Keep the last used index however large: it is needed now.
      if (bytes <= maxBytes || indexes.size === 1) return;
      drop(oldest);
    }
  }

  function load(request: Extract<Request, { type: 'load' }>): Reply {
    const entry = touch(request.key);
    // The index was evicted or lost with its worker since it reported being stale; later rows alone are not the whole.
    const lost = entry === undefined && request.continues === true;
    if (lost || (entry?.version ?? -1) < (request.from ?? -1)) return { type: 'stale', from: entry?.version ?? -1 };
    const into = entry ?? { index: new MemoryIndex(), meanings: new Meanings(), version: -1, bytes: 0 };
    indexes.set(request.key, into);
    takeIn(into, request.rows);
    into.version = Math.max(into.version, request.version);
    recount(request.key, into);
    return { type: 'loaded' };
  }

  return {
    handle(request: Request): Reply {
      if (request.type === 'size') return { type: 'size', indexes: indexes.size, bytes };
      if (request.type === 'load') return load(request);
      const entry = touch(request.key);
      if (entry === undefined || entry.version < request.version) return { type: 'stale', from: entry?.version ?? -1 };
      const { version, meanings } = entry;
      if (request.type === 'rank') return { type: 'ranked', ranked: rankRequest(entry, request), version };
      return { type: 'near', near: meanings.nearest(request.meaning, request.limit), version };
    },
    keys: () => [...indexes.keys()],
    bytes: () => bytes,
  };
}
