import { scoreFeedback } from './feedback.ts';
import { type Gathered, nearness } from './gather.ts';
import type { MemoryIndex } from './memory-index.ts';
import type { Query } from './query.ts';
import { TRAIT } from './traits.ts';
import { kindFactor, Windows } from './windows.ts';

/** The signals, in the order of their numbers. weights.ts explains each. */
export const SIGNALS = [
  'words',
  'grams',
  'concepts',
  'conceptWindow',
  'pairWindow',
  'window3',
  'window6',
  'window14',
  'session',
  'previous',
  'previous2',
  'answers',
  'answers2',
  'feedback',
  'named',
  'time',
  'number',
  'place',
  'dateSaid',
  'dateAfter',
  'dateTold',
  'first',
  'length',
  'tells',
  'asks',
  'replies',
  'self',
] as const;
export type Signal = (typeof SIGNALS)[number];
export const WIDTH = SIGNALS.length;

const AT = Object.fromEntries(SIGNALS.map((name, at) => [name, at])) as Record<Signal, number>;
const BY_BEST = [AT.feedback, AT.concepts, AT.conceptWindow, AT.pairWindow, AT.window3, AT.window6, AT.window14];

/** In words. */
const FULL_LENGTH = 20;
const FULL_TELLING = 60;
/** In days: events are often mentioned a little later. */
const SOON_AFTER = 14;

/** The signals of the candidates, `WIDTH` numbers each, between 0 and about 1. The next query overwrites them. */
export function scoreSignals(index: MemoryIndex, query: Query, gathered: Gathered): Float32Array {
  const { sums } = gathered;
  const values = sums.clearValues(sums.chosen * WIDTH);
  const windows = new Windows(index, gathered);
  for (let c = 0; c < sums.chosen; c += 1) {
    const row = sums.candidates[c] ?? 0;
    const signals = values.subarray(c * WIDTH, (c + 1) * WIDTH);
    ownSignals(signals, gathered, row);
    aroundSignals(signals, index, gathered, row);
    traitSignals(signals, index, query, row);
    if (gathered.spans.length > 0) dateSignals(signals, index, gathered, row);
    windows.look(row);
    signals[AT.pairWindow] = windows.pair;
    signals[AT.window3] = windows.three;
    signals[AT.window6] = windows.six;
    signals[AT.window14] = windows.fourteen;
  }
  scoreFeedback(index, query, gathered, values.subarray(AT.feedback), WIDTH);
  for (const at of BY_BEST) divideByBest(values, at);
  return values;
}

function ownSignals(signals: Float32Array, gathered: Gathered, row: number): void {
  const { sums } = gathered;
  signals[AT.words] = (sums.words[row] ?? 0) / gathered.bestWords;
  signals[AT.grams] = (sums.grams[row] ?? 0) / gathered.bestGrams;
  signals[AT.concepts] = sums.concepts[row] ?? 0;
}

function aroundSignals(signals: Float32Array, index: MemoryIndex, gathered: Gathered, row: number): void {
  const { rows } = index;
  const { sums } = gathered;
  const previous = rows.previous[row] ?? -1;
  const previous2 = previous < 0 ? -1 : (rows.previous[previous] ?? -1);
  const next = rows.next[row] ?? -1;
  const next2 = next < 0 ? -1 : (rows.next[next] ?? -1);
  const near = (at: number) => (at < 0 ? 0 : nearness(gathered, at) * kindFactor(index, at));
  const concepts = (at: number) => (sums.holds(at) ? (sums.concepts[at] ?? 0) : 0);
  // An agent's answer repeats the person or its own memory.
  const tells = kindFactor(index, row) === 1;
  const asked = (at: number) =>
    tells && at >= 0 && ((rows.traits[at] ?? 0) & TRAIT.asks) !== 0 ? nearness(gathered, at) : 0;
  signals[AT.session] = gathered.sessions[rows.session[row] ?? 0] ?? 0;
  signals[AT.previous] = near(previous);
  signals[AT.previous2] = near(previous2);
  signals[AT.answers] = asked(previous);
  signals[AT.answers2] = asked(previous2);
  signals[AT.conceptWindow] =
    concepts(previous2) + concepts(previous) + concepts(row) + concepts(next) + concepts(next2);
  signals[AT.first] = previous < 0 ? 1 : 0;
}

function traitSignals(signals: Float32Array, index: MemoryIndex, query: Query, row: number): void {
  const { rows } = index;
  const traits = rows.traits[row] ?? 0;
  const has = (bit: number, wanted: boolean) => (wanted && (traits & bit) !== 0 ? 1 : 0);
  signals[AT.named] = query.named.has(rows.speaker[row] ?? 0) ? 1 : 0;
  signals[AT.time] = has(TRAIT.time, query.wants.when);
  signals[AT.number] = has(TRAIT.number, query.wants.number);
  signals[AT.place] = has(TRAIT.names, query.wants.place);
  signals[AT.asks] = has(TRAIT.asks, true);
  signals[AT.replies] = has(TRAIT.replies, true);
  signals[AT.self] = has(TRAIT.self, true);
  signals[AT.length] = Math.min(1, (rows.length[row] ?? 0) / FULL_LENGTH);
  let telling = 0;
  for (const term of rows.stemsOf(row)) telling += index.words.idf(term);
  signals[AT.tells] = Math.min(1, telling / FULL_TELLING);
}

function dateSignals(signals: Float32Array, { rows }: MemoryIndex, { spans }: Gathered, row: number): void {
  const day = rows.day[row] ?? 0;
  const from = rows.spanFrom[row] ?? 0;
  const to = rows.spanTo[row] ?? -1;
  for (const span of spans) {
    if (day >= span.from && day <= span.to) signals[AT.dateSaid] = 1;
    else if (day > span.to && day <= span.to + SOON_AFTER) signals[AT.dateAfter] = 1;
    if (from <= to && from <= span.to && to >= span.from) signals[AT.dateTold] = 1;
  }
}

function divideByBest(values: Float32Array, from: number): void {
  let best = 0;
  for (let at = from; at < values.length; at += WIDTH) best = Math.max(best, values[at] ?? 0);
  if (best === 0) return;
  for (let at = from; at < values.length; at += WIDTH) values[at] = (values[at] ?? 0) / best;
}
