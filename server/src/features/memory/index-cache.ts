import { type Entry, MemoryIndex, type Ranked } from './ranking.ts';

/** A row as it is loaded into an index: a tombstone has lost its text. */
export interface Loaded extends Entry {
  forgotten: boolean;
}

export type Request =
  | { type: 'rank'; key: string; version: number; text: string; limit: number; sessionId?: string }
  /** `from`: the version that the rows build on. `continues`: an earlier portion of the same load has come before. */
  | { type: 'load'; key: string; version: number; from?: number; continues?: boolean; rows: Loaded[] };

/** `stale`: the index holds the agent's memories up to `from` only; load what came later, then ask again. */
export type Reply = { type: 'ranked'; ranked: Ranked[] } | { type: 'stale'; from: number } | { type: 'loaded' };

interface Held {
  index: MemoryIndex;
  version: number;
}

/** The indexes of the agents that were asked last, within a bound in bytes; the one asked longest ago goes first. */
export function createIndexCache(maxBytes: number) {
  const held = new Map<string, Held>();

  function touch(key: string): Held | undefined {
    const found = held.get(key);
    if (found === undefined) return undefined;
    held.delete(key);
    held.set(key, found);
    return found;
  }

  function evict(): void {
    let bytes = 0;
    for (const { index } of held.values()) bytes += index.bytes;
    for (const [key, { index }] of held) {
      // The one that was used last stays, however large: it is needed right now.
      if (bytes <= maxBytes || held.size === 1) return;
      held.delete(key);
      bytes -= index.bytes;
    }
  }

  return {
    handle(request: Request): Reply {
      const found = touch(request.key);
      if (request.type === 'rank') {
        if (found === undefined || found.version < request.version)
          return { type: 'stale', from: found?.version ?? -1 };
        return { type: 'ranked', ranked: found.index.rank(request.text, request.limit, request.sessionId) };
      }
      // Evicted or lost with its worker since it was found stale: what came later is not the whole.
      const lost = found === undefined && request.continues === true;
      if (lost || (found?.version ?? -1) < (request.from ?? -1)) return { type: 'stale', from: found?.version ?? -1 };
      const into = found ?? { index: new MemoryIndex(), version: -1 };
      held.set(request.key, into);
      for (const row of request.rows) {
        if (row.forgotten) into.index.forget(row.id);
        else into.index.add(row);
      }
      into.version = Math.max(into.version, request.version);
      evict();
      return { type: 'loaded' };
    },
    keys: () => [...held.keys()],
    bytes: () => [...held.values()].reduce((sum, { index }) => sum + index.bytes, 0),
  };
}

export type IndexCache = ReturnType<typeof createIndexCache>;
