import { nearness, type PostingSums } from './gather.ts';
import type { MemoryIndex } from './memory-index.ts';

/** A row is a direct match when it has at least this share of the weight of the query's words, character runs or concepts. */
const FLOOR = { words: 0.05, grams: 0.1, concepts: 0.25 };
/**
 * How many of the strongest rows are scored in full, or as many as are wanted. In a memory of tens of thousands, more of them find a little
 * less: a weak match in a good place then comes before a strong one.
 */
const STRONGEST = 150;
/** How many rows on either side are added: an answer need not repeat its question. */
const BESIDE = 3;
const BEST_SESSIONS = 3;
/** How many of a session's latest rows are added. */
const SESSION_ROWS = 60;
const BINS = 512;

/** Chooses rows to score in full into `sums.candidates`: direct matches, neighbours, the best sessions. `wanted`: how many to find. */
export function chooseCandidates(index: MemoryIndex, gathered: PostingSums, wanted: number): void {
  const most = Math.max(STRONGEST, wanted);
  const { sums } = gathered;
  const { rows } = index;
  const wordFloor = gathered.wordWhole === 0 ? Infinity : FLOOR.words * gathered.wordWhole;
  const gramFloor = gathered.gramWhole === 0 ? Infinity : FLOOR.grams * gathered.gramWhole;
  const conceptFloor = gathered.conceptWhole === 0 ? Infinity : FLOOR.concepts * gathered.conceptWhole;
  let direct = 0;
  for (let i = 0; i < sums.count; i += 1) {
    const row = sums.touched[i] ?? 0;
    const near =
      (sums.wordShare[row] ?? 0) >= wordFloor ||
      (sums.gramShare[row] ?? 0) >= gramFloor ||
      (sums.concepts[row] ?? 0) >= conceptFloor;
    if (!near) continue;
    // Rejected rows are behind the cursor already, so the list can shrink in place.
    sums.touched[direct] = row;
    direct += 1;
  }
  if (direct <= most) for (let i = 0; i < direct; i += 1) sums.choose(sums.touched[i] ?? 0);
  else chooseStrongest(gathered, direct, most);
  sums.direct = sums.chosen;
  const from = sums.candidates.slice(0, sums.chosen);
  for (const row of from) {
    for (let by = 0, at = rows.previous[row] ?? -1; by < BESIDE && at >= 0; by += 1, at = rows.previous[at] ?? -1)
      sums.choose(at);
    for (let by = 0, at = rows.next[row] ?? -1; by < BESIDE && at >= 0; by += 1, at = rows.next[at] ?? -1)
      sums.choose(at);
  }
  for (const session of bestSessions(index, gathered)) {
    for (let row = index.sessions.last[session] ?? -1, left = SESSION_ROWS; row >= 0 && left > 0; left -= 1) {
      sums.choose(row);
      row = rows.previous[row] ?? -1;
    }
  }
}

/** The sessions that match the query best; one on a day that the query names counts as much as the best. */
function bestSessions({ sessions }: MemoryIndex, gathered: PostingSums): number[] {
  const best: number[] = [];
  const scores: number[] = [];
  for (let session = 0; session < gathered.sessions.length; session += 1) {
    const day = sessions.day[session] ?? 0;
    const named = gathered.spans.some((span) => day >= span.from && day <= span.to);
    const score = (gathered.sessions[session] ?? 0) + (named ? 1 : 0);
    if (score === 0 || (best.length === BEST_SESSIONS && score <= (scores[BEST_SESSIONS - 1] ?? 0))) continue;
    const at = scores.findIndex((other) => score > other);
    best.splice(at === -1 ? best.length : at, 0, session);
    scores.splice(at === -1 ? scores.length : at, 0, score);
    if (best.length > BEST_SESSIONS) {
      best.pop();
      scores.pop();
    }
  }
  return best;
}

/** The bins of the direct matches, kept between queries. */
let binned = new Uint16Array(0);

/** Chooses the strongest `wanted` of the first `direct` touched rows, by counting instead of sorting. */
function chooseStrongest(gathered: PostingSums, direct: number, wanted: number): void {
  const { sums } = gathered;
  const whole = gathered.conceptWhole || 1;
  if (direct > binned.length) binned = new Uint16Array(direct * 2);
  const bins = new Uint32Array(BINS + 1);
  for (let i = 0; i < direct; i += 1) {
    const row = sums.touched[i] ?? 0;
    const strength = 0.8 * nearness(gathered, row) + (0.2 * (sums.concepts[row] ?? 0)) / whole;
    const bin = Math.floor(Math.min(1, strength) * BINS);
    binned[i] = bin;
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  let edge = BINS;
  for (let above = bins[edge] ?? 0; edge > 0 && above <= wanted; above += bins[edge] ?? 0) edge -= 1;
  // Rows in the last bin score alike, so any of them will do.
  for (let i = 0; i < direct; i += 1) if ((binned[i] ?? 0) > edge) sums.choose(sums.touched[i] ?? 0);
  for (let i = 0; i < direct && sums.chosen < wanted; i += 1) {
    if (binned[i] === edge) sums.choose(sums.touched[i] ?? 0);
  }
}
