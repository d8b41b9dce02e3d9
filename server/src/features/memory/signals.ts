import { nearness } from './candidates.ts';
import type { Gathered } from './gather.ts';
import { type Span, spanOf } from './memory-dates.ts';
import { impactOf, rowOf } from './postings.ts';
import type { Query } from './query.ts';
import type { MemoryIndex } from './ranking.ts';
import { TRAIT } from './traits.ts';

export const SIGNALS = [
  'words', 'grams', 'cover', 'rare', 'pairs', 'window3', 'window6', 'session', 'previous', 'next', 'previous2', 'next2', 'answers',
  'named', 'other', 'time', 'number', 'place', 'person', 'reason', 'nameWanted', 'feedback', 'length', 'asks', 'self',
  'dateSaid', 'dateNear', 'dateTold', 'first', 'direct', 'window12', 'answers2', 'ack', 'info', 'gramWindow', 'place2', 'early', 'wWhen', 'wNum', 'exact','when','prevWin','wordsRaw','nq','concept','conceptWin','conceptMax',
] as const;
export type Signal = (typeof SIGNALS)[number];
const WIDTH = SIGNALS.length;

/** The values of the signals of candidates, a row of `SIGNALS.length` numbers each. */
export type Values = Float32Array;

const FEEDBACK = { rows: 5, terms: 8 };
const FULL_LENGTH = 20;
const kindFactor = (index: MemoryIndex, row: number) =>
  (index.rows.traits[row] ?? 0) & TRAIT.agent && index.rows.speaker[row] === 0 ? 0.4 : 1;

export function scoreSignals(index: MemoryIndex, query: Query, gathered: Gathered, candidates: number[]): Values {
  const { rows } = index;
  const values = new Float32Array(candidates.length * WIDTH);
  const session = scoreSessions(index, query, gathered);
  const feedback = scoreFeedback(index, query, gathered, candidates);
  const near = (row: number) => (row < 0 ? 0 : nearness(gathered, row) * kindFactor(index, row));
  const { sums } = gathered;
  const topicWhole = gathered.idf.reduce((sum, idf, bit) => sum + (gathered.topic & (1 << bit) ? idf : 0), 0);
  const maxIdf = Math.max(1e-9, ...gathered.idf.filter((_, bit) => gathered.topic & (1 << bit)));
  const pairWhole = pairWeight(gathered, -1) || 1;
  const concept = new Float32Array(rows.size);
  const conceptMax = new Float32Array(rows.size);
  for (const hash of query.concepts) {
    const t = index.concepts.terms.find(hash);
    if (t < 0) continue;
    const idf = index.concepts.idf(t);
    for (const p of index.concepts.list(t)) { concept[rowOf(p)] = (concept[rowOf(p)] ?? 0) + idf * impactOf(p); conceptMax[rowOf(p)] = Math.max(conceptMax[rowOf(p)]!, idf / 6); }
  }
  const counts = new Float32Array(32);
  for (const [c, row] of candidates.entries()) {
    const traits = rows.traits[row] ?? 0;
    const has = (bit: number, wanted: boolean) => (wanted && traits & bit ? 1 : 0);
    const previous = rows.previous[row] ?? -1;
    const next = rows.next[row] ?? -1;
    const previous2 = previous < 0 ? -1 : (rows.previous[previous] ?? -1);
    const next2 = next < 0 ? -1 : (rows.next[next] ?? -1);
    const mask = sums.mask[row] ?? 0;
    let cover = 0;
    let rare = 0;
    for (const [bit, idf] of gathered.idf.entries()) {
      if (mask & gathered.topic & (1 << bit)) {
        cover += idf;
        rare = Math.max(rare, idf);
      }
    }
    const set: Record<Signal, number> = {
      words: (sums.words[row] ?? 0) / (gathered.bestWords || 1),
      grams: (sums.grams[row] ?? 0) / (gathered.bestGrams || 1),
      cover: cover / (topicWhole || 1),
      rare: rare / maxIdf,
      pairs: pairWeight(gathered, mask) / pairWhole,
      window3: scoreWindow(index, gathered, counts, row, 1, 1),
      window6: scoreWindow(index, gathered, counts, row, 3, 2),
      session: session[rows.session[row] ?? 0] ?? 0,
      previous: near(previous),
      next: near(next),
      previous2: near(previous2),
      next2: near(next2),
      answers: previous >= 0 && (rows.traits[previous] ?? 0) & TRAIT.asks ? nearness(gathered, previous) : 0,
      named: query.named.has(rows.speaker[row] ?? 0) ? 1 : 0,
      other: query.named.size > 0 && !query.named.has(rows.speaker[row] ?? 0) ? 1 : 0,
      time: has(TRAIT.time, query.wants.when),
      number: has(TRAIT.number, query.wants.number),
      place: has(TRAIT.names, query.wants.place),
      person: has(TRAIT.names, query.wants.person),
      reason: has(TRAIT.reason, query.wants.reason),
      nameWanted: has(TRAIT.names, query.wants.name),
      feedback: feedback[c] ?? 0,
      length: Math.min(1, (rows.length[row] ?? 0) / FULL_LENGTH),
      asks: has(TRAIT.asks, true),
      self: has(TRAIT.self, true),
      ...dates(index, query, row),
      first: previous < 0 ? 1 : 0,
      direct: mask ? 1 : 0,
      window12: scoreWindow(index, gathered, counts, row, 7, 6),
      answers2: previous2 >= 0 && (rows.traits[previous2] ?? 0) & TRAIT.asks ? nearness(gathered, previous2) : 0,
      ack: traits & TRAIT.ack ? 1 : 0,
      info: info(index, row),
      gramWindow: [previous2, previous, row, next, next2].reduce((t, r) => t + (r >= 0 && sums.holds(r) ? (sums.grams[r] ?? 0) : 0), 0),
      place2: place(index, row) ,
      early: 1 / (1 + place(index, row)),
      wWhen: query.wants.when ? (sums.words[row] ?? 0) / (gathered.bestWords || 1) : 0,
      wNum: query.wants.number ? (sums.words[row] ?? 0) / (gathered.bestWords || 1) : 0,
      exact: (sums.wordShare[row] ?? 0) / (gathered.wordWhole || 1),
      when: query.wants.when ? 1 : 0,
      prevWin: scoreWindow(index, gathered, counts, row, 1, 0),
      wordsRaw: (sums.words[row] ?? 0) / 10,
      concept: concept[row] ?? 0,
      conceptMax: conceptMax[row] ?? 0,
      conceptWin: [previous2, previous, row, next, next2].reduce((t, r) => t + (r >= 0 ? (concept[r] ?? 0) : 0), 0),
      nq: gathered.idf.length / 10,
    };
    for (const [s, name] of SIGNALS.entries()) values[c * WIDTH + s] = set[name];
  }
  normalize(values, ['window3', 'window6', 'feedback', 'window12', 'gramWindow', 'prevWin', 'concept', 'conceptWin']);
  return values;
}

/** Divides signals by the query's best. */
function normalize(values: Values, names: Signal[]): void {
  for (const name of names) {
    const at = SIGNALS.indexOf(name);
    let best = 0;
    for (let i = at; i < values.length; i += WIDTH) best = Math.max(best, values[i] ?? 0);
    if (best === 0) continue;
    for (let i = at; i < values.length; i += WIDTH) values[i] = (values[i] ?? 0) / best;
  }
}

/** How much of a query's neighbouring words stand together in a row; all of it for -1. */
function pairWeight({ idf, topic }: Gathered, mask: number): number {
  let sum = 0;
  let before = -1;
  for (let bit = 0; bit < idf.length; bit += 1) {
    if (!(topic & (1 << bit))) continue;
    if (before >= 0 && mask & (1 << bit) && mask & (1 << before)) sum += (idf[bit] ?? 0) + (idf[before] ?? 0);
    before = bit;
  }
  return sum;
}

function scoreWindow(index: MemoryIndex, { sums, idf, topic }: Gathered, counts: Float32Array, row: number, before: number, after: number): number {
  const { rows } = index;
  counts.fill(0, 0, idf.length);
  let at = row;
  for (let i = 0; i < before && (rows.previous[at] ?? -1) >= 0; i += 1) at = rows.previous[at] ?? -1;
  let left = before + after + 1;
  let any = 0;
  // The window shrinks at the beginning of a session.
  for (let passed = at !== row; left > 0 && at >= 0; left -= 1) {
    const mask = sums.holds(at) ? (sums.mask[at] ?? 0) & topic : 0;
    any |= mask;
    if (mask !== 0) {
      const factor = kindFactor(index, at);
      for (let bit = 0; bit < idf.length; bit += 1) if (mask & (1 << bit)) counts[bit] = (counts[bit] ?? 0) + factor;
    }
    if (at === row) left = after + 1;
    at = rows.next[at] ?? -1;
    passed = true;
    if (!passed) break;
  }
  if (any === 0) return 0;
  let sum = 0;
  for (let bit = 0; bit < idf.length; bit += 1) {
    const count = counts[bit] ?? 0;
    if (count > 0) sum += ((idf[bit] ?? 0) * count) / (count + 0.9);
  }
  return sum;
}

function scoreSessions(index: MemoryIndex, query: Query, gathered: Gathered): Float32Array {
  const { rows, words, sessionLengths } = index;
  const count = sessionLengths.length;
  const scores = new Float32Array(count);
  const counts = new Float32Array(count);
  const mean = words.rows === 0 ? 1 : sessionLengths.reduce((a, b) => a + b, 0) / Math.max(1, count);
  for (const { hash } of query.terms) {
    const term = words.terms.find(hash);
    if (term < 0) continue;
    const list = words.list(term);
    const touched: number[] = [];
    for (let i = 0; i < list.length; i += 1) {
      const session = rows.session[rowOf(list[i] ?? 0)] ?? 0;
      if (counts[session] === 0) touched.push(session);
      counts[session] = (counts[session] ?? 0) + 1;
    }
    const idf = Math.log(1 + (count - touched.length + 0.5) / (touched.length + 0.5));
    for (const session of touched) {
      const said = counts[session] ?? 0;
      counts[session] = 0;
      const norm = 1.2 * (0.4 + (0.6 * (sessionLengths[session] ?? 0)) / mean);
      scores[session] = (scores[session] ?? 0) + (idf * said) / (said + norm);
    }
  }
  let best = 0;
  for (const score of scores) best = Math.max(best, score);
  return best === 0 ? scores : scores.map((score) => score / best);
}

function scoreFeedback(index: MemoryIndex, query: Query, gathered: Gathered, candidates: number[]): Float32Array {
  const { rows, words } = index;
  const { sums } = gathered;
  const top: number[] = [];
  const nearOf = (row: number) => nearness(gathered, row);
  for (const row of candidates) {
    const score = nearOf(row);
    if (score === 0) continue;
    const at = top.findIndex((other) => score > nearOf(other));
    if (at !== -1) top.splice(at, 0, row);
    else if (top.length < FEEDBACK.rows) top.push(row);
    if (top.length > FEEDBACK.rows) top.pop();
  }
  const known = new Set(query.terms.map(({ hash }) => words.terms.find(hash)));
  const gain = new Map<number, number>();
  for (const row of top) {
    for (const term of rows.stemsOf(row)) {
      if (known.has(term) || index.isSpeakerTerm(term)) continue;
      gain.set(term, (gain.get(term) ?? 0) + nearOf(row) * words.idf(term));
    }
  }
  const result = new Float32Array(candidates.length);
  for (const [term] of [...gain].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, FEEDBACK.terms)) {
    const idf = words.idf(term);
    const list = words.list(term);
    for (let i = 0; i < list.length; i += 1) {
      const row = rowOf(list[i] ?? 0);
      if (!sums.holds(row)) continue;
      const slot = sums.slot[row] ?? -1;
      if (slot >= 0) result[slot] = (result[slot] ?? 0) + idf * impactOf(list[i] ?? 0);
    }
  }
  return result;
}

const NONE = { dateSaid: 0, dateNear: 0, dateTold: 0 };
function dates(index: MemoryIndex, query: Query, row: number) {
  const { rows } = index;
  if (query.dates.length === 0) return NONE;
  const day = rows.day[row] ?? 0;
  const result = { ...NONE };
  for (const named of query.dates) {
    const span: Span = spanOf(named, day);
    if (day >= span.from && day <= span.to) result.dateSaid = 1;
    else if (day > span.to && day <= span.to + 14) result.dateNear = 1;
    const [from, to] = [rows.spanFrom[row] ?? 0, rows.spanTo[row] ?? -1];
    if (from <= to && from <= span.to && to >= span.from) result.dateTold = 1;
  }
  return result;
}

function info(index: MemoryIndex, row: number): number {
  let sum = 0;
  for (const t of index.rows.stemsOf(row)) sum += index.words.idf(t);
  return Math.min(1, sum / 60);
}
function place(index: MemoryIndex, row: number): number {
  let n = 0;
  for (let r = index.rows.previous[row] ?? -1; r >= 0 && n < 40; r = index.rows.previous[r] ?? -1) n += 1;
  return n / 40;
}
