import { nearness, type PostingSums } from './gather.ts';
import type { MemoryIndex } from './memory-index.ts';
import type { Query } from './query.ts';
import { TRAIT } from './traits.ts';
import { Windows } from './windows.ts';

/** The signals, in the order of their numbers. */
export const SIGNALS = [
  /** BM25 of runs of four characters: finds other endings and spellings, in any script. */
  'grams',
  /** BM25 of the everyday concepts that the words imply: a dog is a pet. */
  'concepts',
  /** BM25 of the query's words, without speakers' names, in this turn and the one before. */
  'pair',
  /** In this turn, three before and two after. */
  'window',
  /** In what people said in the whole session; for a message that goes on with a talk up to twice as much, with what the agent said. */
  'session',
  /** The turn before is a question that matches: this is its answer. */
  'answers',
  /** The agent's reply to it matches: that repeats and explains what the person said. */
  'reply',
  /** The turn before that, usually by the same speaker, matches. */
  'earlier',
  /** The query asks when or how many, and this has a time or a number. */
  'fits',
  /** Said on a day that the query names; less when said soon after, or when it mentions that day. */
  'date',
  /** Opens its session, with more than a greeting: news come first. */
  'first',
  /** Is long enough to tell something. */
  'length',
  /** Is no question. */
  'states',
  /** A person said it, and the query doesn't ask for the agent's words. */
  'person',
] as const;
export type Signal = (typeof SIGNALS)[number];
export const WIDTH = SIGNALS.length;

const AT = Object.fromEntries(SIGNALS.map((name, at) => [name, at])) as Record<Signal, number>;
const BY_BEST = [AT.concepts, AT.pair, AT.window];

/** In words. A longer text has a number, a time or a question's words somewhere, so that says less the longer it is. */
const SHORT = 15;
/** In words. A question of no more tells nothing itself. */
const BARE_QUESTION = 8;
/** In words. With fewer there is hardly room to tell something. */
const FULL_LENGTH = 12;
/** In words: up to the first a session opens with a greeting, from the second on with news. */
const GREETING = 3;
const NEWS = 15;
/** What the opening of a session that has nothing to do with the query is worth, beside that of the best. */
const ANYWAY = 0.5;
/** In days: events are often mentioned a little later. */
const SOON_AFTER = 14;
/** What a day near the one that the query names is worth, beside the day itself. */
const NEAR_DATE = 0.35;

/** The signals of the candidates, `WIDTH` numbers each, between 0 and about 1. The next query overwrites them. */
export function scoreSignals(index: MemoryIndex, query: Query, gathered: PostingSums): Float32Array {
  const { sums } = gathered;
  const { rows } = index;
  const values = sums.clearValues(sums.chosen * WIDTH);
  const windows = new Windows(index, gathered);
  for (let c = 0; c < sums.chosen; c += 1) {
    const row = sums.candidates[c] ?? 0;
    const at = c * WIDTH;
    values[at + AT.grams] = (sums.grams[row] ?? 0) / gathered.bestGrams;
    values[at + AT.concepts] = sums.concepts[row] ?? 0;
    windows.look(row);
    values[at + AT.pair] = windows.pair;
    values[at + AT.window] = windows.six;
    const session = gathered.sessions[rows.session[row] ?? 0] ?? 0;
    values[at + AT.session] = (1 + query.goesOn) * session;
    if ((rows.previous[row] ?? -1) < 0)
      values[at + AT.first] = news(rows.length[row] ?? 0) * (ANYWAY + (1 - ANYWAY) * session);
    traitSignals({ values, at }, index, query, gathered, row);
    if (gathered.spans.length > 0) values[at + AT.date] = dateSignal(index, gathered, row);
  }
  for (const at of BY_BEST) divideByBest(values, at);
  return values;
}

function traitSignals(
  { values, at }: { values: Float32Array; at: number },
  { rows }: MemoryIndex,
  { wants }: Query,
  gathered: PostingSums,
  row: number,
): void {
  const traits = rows.traits[row] ?? 0;
  const asks = (traits & TRAIT.asks) !== 0;
  const length = rows.length[row] ?? 0;
  const short = Math.min(1, SHORT / Math.max(1, length));
  const previous = rows.previous[row] ?? -1;
  const earlier = rows.previous[previous] ?? -1;
  const isPersons = (traits & TRAIT.agent) === 0;
  if (isPersons && previous >= 0 && ((rows.traits[previous] ?? 0) & TRAIT.asks) !== 0)
    values[at + AT.answers] = short * nearness(gathered, previous);
  const next = rows.next[row] ?? -1;
  const tells = isPersons && (!asks || length > BARE_QUESTION);
  if (tells && next >= 0 && ((rows.traits[next] ?? 0) & TRAIT.agent) !== 0)
    values[at + AT.reply] = short * nearness(gathered, next);
  if (earlier >= 0) values[at + AT.earlier] = short * nearness(gathered, earlier);
  const fits = (wants.when && (traits & TRAIT.time) !== 0) || (wants.number && (traits & TRAIT.number) !== 0);
  if (fits) values[at + AT.fits] = short;
  if (!asks) values[at + AT.states] = short;
  if (isPersons) values[at + AT.person] = wants.person;
  values[at + AT.length] = Math.min(1, length / FULL_LENGTH);
}

const news = (length: number) => Math.min(1, Math.max(0, (length - GREETING) / (NEWS - GREETING)));

function dateSignal({ rows }: MemoryIndex, { spans }: PostingSums, row: number): number {
  const day = rows.day[row] ?? 0;
  const from = rows.spanFrom[row] ?? 0;
  const to = rows.spanTo[row] ?? -1;
  let best = 0;
  for (const span of spans) {
    if (day >= span.from && day <= span.to) return 1;
    const after = day > span.to && day <= span.to + SOON_AFTER;
    const mentions = from <= to && from <= span.to && to >= span.from;
    if (after || mentions) best = NEAR_DATE;
  }
  return best;
}

function divideByBest(values: Float32Array, from: number): void {
  let best = 0;
  for (let at = from; at < values.length; at += WIDTH) best = Math.max(best, values[at] ?? 0);
  if (best === 0) return;
  for (let at = from; at < values.length; at += WIDTH) values[at] = (values[at] ?? 0) / best;
}
