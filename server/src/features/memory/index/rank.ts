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
}

/** How many of the best are checked for later memories that replace them. */
const RIVALLED = 8;

/** The best memories for a text, best first; none when nothing matches well enough. `sessionId` limits the search to one session. */
export function rank(index: MemoryIndex, text: string, limit: number, sessionId?: string): Ranked[] {
  const session = sessionId === undefined ? undefined : index.sessions.find(sessionId);
  if (sessionId !== undefined && session === undefined) return [];
  const scored = scoreText(index, text);
  if (scored === undefined) return [];
  const idOf = (row: number) => index.rows.ids[row] ?? '';
  return fuse(index, scored.gathered, scored.values, { limit, session }).map(({ row, score }, place) => ({
    id: idOf(row),
    score,
    rivals: place < RIVALLED ? findRivals(index, row).map(idOf) : [],
  }));
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
