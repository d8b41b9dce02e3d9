import { chooseCandidates } from './candidates.ts';
import { fuse } from './fuse.ts';
import { addConcepts, type Gathered, gather } from './gather.ts';
import type { MemoryIndex } from './memory-index.ts';
import { readQuery } from './query.ts';
import { findRivals } from './rivals.ts';
import { scoreSignals } from './signals.ts';

export interface Ranked {
  id: string;
  /** 0 to 1, comparable within one answer. */
  score: number;
  /** Later memories of the same person that may replace this one; their texts decide. */
  rivals: string[];
  /** Other memories in the same words, which can stand in for this one if it is gone. */
  repeats: string[];
}

/** How many of the best are checked for later memories that replace them. */
const RIVALLED = 8;
/** How many repeats of each memory are given for a limit; a talk may have thousands of the same greeting. */
export const repeatsFor = (limit: number) => Math.ceil(limit / 8);

/**
 * The best memories for a text, best first and each once, however often it was said; none when nothing matches well enough. `sessionId`
 * limits the search to one session.
 */
export function rank(index: MemoryIndex, text: string, limit: number, sessionId?: string): Ranked[] {
  const session = sessionId === undefined ? undefined : index.sessions.find(sessionId);
  if (sessionId !== undefined && session === undefined) return [];
  const scored = scoreText(index, text);
  if (scored === undefined) return [];
  const idOf = (row: number) => index.rows.ids[row] ?? '';
  const found = new Map<number, Ranked>();
  for (const { row, score } of fuse(index, scored.gathered, scored.values, { session })) {
    // Rows that are erased have no words to share.
    const same = index.rows.same[row] || -1 - row;
    const earlier = found.get(same);
    if (earlier !== undefined && earlier.repeats.length < repeatsFor(limit)) earlier.repeats.push(idOf(row));
    if (earlier !== undefined || found.size === limit) continue;
    const rivals = found.size < RIVALLED ? findRivals(index, row).map(idOf) : [];
    found.set(same, { id: idOf(row), score, rivals, repeats: [] });
  }
  return [...found.values()];
}

/** The signals of the candidates for a text, for ranking and for learning the weights. The next call overwrites them. */
export function scoreText(index: MemoryIndex, text: string): { gathered: Gathered; values: Float32Array } | undefined {
  const query = readQuery(text, (hash) => index.speakers.has(hash));
  if (query.grams.length === 0 || index.size === 0) return undefined;
  const gathered = gather(index, query);
  chooseCandidates(index, gathered);
  addConcepts(index, query);
  return { gathered, values: scoreSignals(index, query, gathered) };
}
