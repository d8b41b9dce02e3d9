import { chooseCandidates } from './candidates.ts';
import { type Fusing, fuse, type Ranked, scoreOf, sumOf } from './fuse.ts';
import { addConcepts, gather, type PostingSums } from './gather.ts';
import { fuseMeanings, type Outstanding } from './meaning.ts';
import type { MemoryIndex } from './memory-index.ts';
import { type Postings, rowOf } from './postings.ts';
import { readQuery } from './query.ts';
import type { Rows } from './rows.ts';
import { scoreSignals } from './signals.ts';
import { TRAIT } from './traits.ts';

/** How many of the best are checked for later memories that replace them. */
const RIVALLED = 8;
/** How many repeats of each memory are given for a limit; a talk may have thousands of the same greeting. */
export const repeatsFor = (limit: number) => Math.ceil(limit / 8);

interface Ranking {
  /** The only session to search. */
  sessionId?: string | undefined;
  /** What is nearest in meaning. */
  near?: readonly Outstanding[];
}

/**
 * The best memories for a text, best first and each once, however often it was said; of a message that is stored in parts, the best part.
 * None when nothing matches well enough.
 */
export function rank(
  index: MemoryIndex,
  text: string,
  limit: number,
  { sessionId, near = [] }: Ranking = {},
): Ranked[] {
  const ranked = rankByWords(index, text, limit, sessionId);
  const both = near.length === 0 ? ranked : fuseMeanings(ranked, near);
  return reachFurther(both, ({ id }) => index.sessionOf(id), limit);
}

function rankByWords(index: MemoryIndex, text: string, limit: number, sessionId: string | undefined): Ranked[] {
  const session = sessionId === undefined ? undefined : index.sessions.find(sessionId);
  if (sessionId !== undefined && session === undefined) return [];
  const scored = scoreText(index, text, limit);
  if (scored === undefined) return [];
  const idOf = (row: number) => index.rows.ids[row] ?? '';
  const best = bestOf(index, scored, limit, { session });
  return best.map(({ row, score, repeats }, at) => ({
    id: idOf(row),
    score,
    rivals: at < RIVALLED ? findRivals(index, row).map(idOf) : [],
    repeats: repeats.map(idOf),
  }));
}

/** So many rows are looked at for each that is wanted, before all of them are: most are neither parts nor repeats of another. */
const LOOKED_AT = 8;

/**
 * What every memory but the best of its session loses where a query goes on with a talk: that draws on several sessions, and one session's
 * turns share most of their signals.
 */
const SAME_SESSION = 1;

/** The best `limit` memories, each once, spread over sessions; then, from as many sessions that have none yet, the best of each. */
export function bestOf(index: MemoryIndex, { gathered, values }: Scored, limit: number, fusing: Fusing = {}): Best[] {
  const first = limit * LOOKED_AT;
  const some = fuse(index, gathered, values, { ...fusing, limit: first });
  const best = bestOfEach(index, some, limit);
  const isEnough = best.length >= limit || some.length < first;
  const all = isEnough ? best : bestOfEach(index, fuse(index, gathered, values, fusing), limit);
  const order = spread(index, all, SAME_SESSION * gathered.goesOn);
  const nearest = order.slice(0, limit);
  const sessionOf = ({ row }: Best) => index.rows.session[row];
  const sessions = new Set(nearest.map(sessionOf));
  const further = order.slice(limit).filter((one) => !sessions.has(sessionOf(one)) && sessions.add(sessionOf(one)));
  return [...nearest, ...further.slice(0, limit)];
}

function spread({ rows }: MemoryIndex, best: Best[], loss: number): Best[] {
  const sessions = new Set<number>();
  return best
    .map((one) => {
      const session = rows.session[one.row] ?? 0;
      if (sessions.has(session)) return { ...one, score: scoreOf(sumOf(one.score) - loss) };
      sessions.add(session);
      return one;
    })
    .sort((a, b) => b.score - a.score);
}

/** So many of the best go by their scores alone. */
const BY_SCORE = 7;
/** Of so many places after them, the last goes by its score, the others reach further. */
const GROUP = 3;

/**
 * The first `limit`. After those that go by their scores, most places are for the best of a session that has none yet: what answers a question
 * may be spread over several. None has a higher score than the one before it.
 */
export function reachFurther<T extends { score: number }>(
  best: readonly T[],
  sessionOf: (one: T) => number | undefined,
  limit: number,
): T[] {
  const places = best.slice(0, Math.min(BY_SCORE, limit));
  const others = best.slice(places.length);
  const sessions = new Set(places.map(sessionOf));
  while (places.length < limit && others.length > 0) {
    const goesByScore = (places.length - BY_SCORE) % GROUP === GROUP - 1;
    const further = goesByScore ? 0 : others.findIndex((one) => !sessions.has(sessionOf(one)));
    for (const one of others.splice(Math.max(0, further), 1)) {
      sessions.add(sessionOf(one));
      places.push({ ...one, score: Math.min(one.score, places.at(-1)?.score ?? 1) });
    }
  }
  return places;
}

interface Best {
  row: number;
  score: number;
  /** Rows in the same words. */
  repeats: number[];
}

/** These rows without the other parts of their messages and without repeats, of which `limit` says how many are named. */
function bestOfEach({ rows }: MemoryIndex, scored: { row: number; score: number }[], limit: number): Best[] {
  const best = new Map<number, Best>();
  const messages = new Set<number>();
  for (const { row, score } of scored) {
    // Rows that are erased have no words to share.
    const same = rows.same[row] || -1 - row;
    const earlier = best.get(same);
    if (earlier !== undefined && earlier.repeats.length < repeatsFor(limit)) earlier.repeats.push(row);
    if (earlier !== undefined) continue;
    const message = firstPart(rows, row);
    if (messages.has(message)) continue;
    messages.add(message);
    best.set(same, { row, score, repeats: [] });
  }
  return [...best.values()];
}

/** The row with which a message begins. */
function firstPart({ traits, previous }: Rows, row: number): number {
  let first = row;
  while (((traits[first] ?? 0) & TRAIT.continues) !== 0 && (previous[first] ?? -1) >= 0) first = previous[first] ?? -1;
  return first;
}

interface Scored {
  gathered: PostingSums;
  values: Float32Array;
}

/** The signals of the candidates for a text, for ranking and for learning the weights. The next call overwrites them. */
export function scoreText(index: MemoryIndex, text: string, wanted = 0): Scored | undefined {
  const query = readQuery(text, index);
  if (query.grams.length === 0 || index.size === 0) return undefined;
  const gathered = gather(index, query);
  chooseCandidates(index, gathered, wanted);
  addConcepts(index, query);
  return { gathered, values: scoreSignals(index, query, gathered) };
}

/** How many of a term's latest rows are checked: for a frequent subject, the last statement decides. */
const LATEST = 300;
const RIVALS = 2;
/** The share of a row's weight that another row must share. */
const SHARED = 0.25;

/** Later rows of the same person that share the most with a row and mention a change. */
function findRivals({ rows, words, slots }: MemoryIndex, row: number): number[] {
  const traits = rows.traits[row] ?? 0;
  if ((traits & (TRAIT.agent | TRAIT.file | TRAIT.asks)) !== 0) return [];
  const shared = new Map<number, number>();
  const see = (postings: Postings, term: number, weight: number) => {
    const list = postings.list(term);
    for (let i = list.length - 1, left = LATEST; i >= 0 && left > 0; i -= 1, left -= 1) {
      const other = rowOf(list[i] ?? 0);
      if (other <= row) break;
      const claims =
        ((rows.traits[other] ?? 0) & (TRAIT.claims | TRAIT.asks)) === TRAIT.claims &&
        rows.speaker[other] === rows.speaker[row];
      if (claims) shared.set(other, (shared.get(other) ?? 0) + weight);
    }
  };
  const speaker = words.terms.find(rows.speaker[row] ?? 0);
  let whole = 0;
  for (const term of rows.stemsOf(row)) {
    if (term === speaker) continue;
    see(words, term, words.idf(term));
    whole += words.idf(term);
  }
  const slot = rows.slot[row] ?? 0;
  // Rows about the same single-valued concept are all rivals, whatever their words.
  if (slot !== 0) see(slots, slots.terms.find(slot), whole);
  return [...shared]
    .filter(([, weight]) => weight >= SHARED * whole)
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, RIVALS)
    .map(([other]) => other);
}
