import { MESSAGE_MAX } from '@atelier/contract/runs';
import { PAST_LIMITS } from '@atelier/contract/transfer/past';
import type { ForeignConversation, PastMessage } from './programs.ts';

/** A part of an answer and what was said before it: branches share their beginning. */
interface AnswerPart {
  text: string;
  before: AnswerPart | null;
  /** In characters, with what was before. */
  length: number;
}

/** A message with its answer, as a session here has them. */
export interface PastExchange {
  /** The messages of the export that it is made of. */
  key: string;
  /** The exchange before it; null for a first one. */
  parent: PastExchange | null;
  input: string;
  /** What the program said; null where it didn't answer. */
  answer: AnswerPart | null;
  at: number;
  answeredAt: number;
  model: string;
  onPath: boolean;
}

/** The tree of a conversation as exchanges, each after the one that it follows. */
export interface PastTree {
  exchanges: PastExchange[];
  /** How many messages they are made of. */
  messages: number;
  branches: boolean;
  /** Messages that were left out: repeated ids, and circles of messages that follow each other. */
  repeated: number;
  circular: number;
  /** Messages that are shorter here. */
  shortened: number;
}

/** What an answer may have: see `exchangeRow`. */
const ANSWER_MAX = 2_000_000;
/** What stands for a message that the export doesn't have: an answer without one, and a picture alone. */
export const NO_MESSAGE = '…';
/** An export may repeat a long message in each of its branches, as long as the whole stays readable. */
const TREE_CHARS = 32 * 1024 * 1024;
const BETWEEN = '\n\n';

/** An answer as one text; empty where there is none. */
export function answerOf({ answer }: PastExchange): string {
  const parts: string[] = [];
  for (let part = answer; part !== null; part = part.before) parts.push(part.text);
  return parts.toReversed().join(BETWEEN).slice(0, ANSWER_MAX).toWellFormed();
}

/** The exchange and the place in it that a message follows. */
interface Place {
  exchange: PastExchange | null;
  /** The last message of it that led here; another message after it is another branch. */
  message: PastMessage | null;
  answer: AnswerPart | null;
}

const START: Place = { exchange: null, message: null, answer: null };

/**
 * Makes exchanges of a conversation: a message of the person with what the program said to it, whatever tools did in between. Another answer
 * to the same message is a branch of its own. Null when it has too many messages, or its branches repeat too much.
 */
export function treeOf(talk: ForeignConversation, range: { earliest: number; latest: number }): PastTree | null {
  if (talk.messages.length > PAST_LIMITS.conversation) return null;
  const byId = new Map<string, PastMessage>();
  for (const message of talk.messages) if (!byId.has(message.id)) byId.set(message.id, message);
  const builder = new TreeBuilder(range, talk.at);
  const seen = walk(byId, (message, place) => builder.add(message, place));
  if (builder.chars > TREE_CHARS) return null;
  choosePath(builder.exchanges, seen.get(talk.current ?? '')?.exchange ?? builder.latest);
  const parents = builder.exchanges.map(({ parent }) => parent);
  return {
    exchanges: builder.exchanges,
    messages: builder.messages,
    branches: new Set(parents).size < parents.length,
    repeated: talk.messages.length - byId.size,
    circular: byId.size - seen.size,
    shortened: builder.shortened,
  };
}

/** Visits each message after the one that it follows; what only follows itself is never reached. No recursion: the export decides how deep it is. */
function walk(byId: ReadonlyMap<string, PastMessage>, visit: (message: PastMessage, place: Place) => Place) {
  const following = Map.groupBy(byId.values(), ({ parent }) => (parent !== null && byId.has(parent) ? parent : ''));
  const seen = new Map<string, Place>();
  const open = (following.get('') ?? []).map((message) => ({ message, place: START })).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { message } = next;
    const place = visit(message, next.place);
    seen.set(message.id, place);
    if (message.id === '') continue;
    for (const child of (following.get(message.id) ?? []).toReversed()) open.push({ message: child, place });
  }
  return seen;
}

class TreeBuilder {
  readonly exchanges: PastExchange[] = [];
  messages = 0;
  shortened = 0;
  chars = 0;
  latest: PastExchange | null = null;
  readonly #range: { earliest: number; latest: number };
  readonly #began: number;
  /** The last message of each exchange so far. */
  readonly #ends = new Map<PastExchange, PastMessage>();

  constructor(range: { earliest: number; latest: number }, began: number) {
    this.#range = range;
    this.#began = this.#validTime(began) ?? range.latest;
  }

  /** Adds what a message says, and returns where the ones after it go on. */
  add(message: PastMessage, place: Place): Place {
    const { role } = message;
    if (role === null || this.chars > TREE_CHARS) return place;
    const text = this.#storable(message.text, role === 'person' ? MESSAGE_MAX : ANSWER_MAX);
    // Nothing but a picture or a call of a tool; a person's message is answered all the same.
    if (text === '' && role === 'program') return place;
    this.messages += 1;
    const exchange =
      role === 'person'
        ? this.#begin(message, place.exchange, text === '' ? NO_MESSAGE : text)
        : this.#answer(message, place, text);
    this.#ends.set(exchange, message);
    this.latest = this.latest === null || exchange.answeredAt >= this.latest.answeredAt ? exchange : this.latest;
    return { exchange, message, answer: exchange.answer };
  }

  #begin(message: PastMessage, parent: PastExchange | null, input: string): PastExchange {
    // Later than the one before it, whatever the export says: that is the order of a path.
    const at = Math.max(this.#validTime(message.at) ?? 0, parent === null ? 0 : parent.answeredAt + 1) || this.#began;
    const more = { answer: null, answeredAt: at, model: '', onPath: false };
    const exchange: PastExchange = { key: message.id, parent, input, at, ...more };
    this.exchanges.push(exchange);
    this.chars += input.length;
    return exchange;
  }

  #answer(message: PastMessage, place: Place, text: string): PastExchange {
    const { exchange: before, message: last, answer } = place;
    const isNext = before !== null && last !== null && this.#ends.get(before) === last;
    const exchange = isNext ? before : this.#begin(message, before?.parent ?? null, before?.input ?? NO_MESSAGE);
    if (exchange.key !== message.id) exchange.key += `/${message.id}`;
    // What the program said before another branch began belongs to both.
    const length = (answer?.length ?? 0) + BETWEEN.length + text.length;
    this.chars += length - (isNext ? (answer?.length ?? 0) : 0);
    exchange.answer = { text, before: answer, length };
    exchange.answeredAt = Math.max(this.#validTime(message.at) ?? 0, exchange.answeredAt);
    exchange.model = message.model || exchange.model;
    return exchange;
  }

  /** A time that can be true. */
  #validTime(at: number): number | undefined {
    return at >= this.#range.earliest && at <= this.#range.latest ? at : undefined;
  }

  /** Without what a database refuses, and no longer than a message here. */
  #storable(text: string, max: number): string {
    const clean = text.replaceAll('\0', '').trim();
    if (clean.length > max) this.shortened += 1;
    return clean.slice(0, max).toWellFormed();
  }
}

/** Marks the path to an exchange, and from there on what was said last. */
function choosePath(exchanges: readonly PastExchange[], chosen: PastExchange | null): void {
  for (let one = chosen; one !== null; one = one.parent) one.onPath = true;
  const after = new Map<PastExchange, PastExchange>();
  for (const one of exchanges) {
    if (one.parent === null) continue;
    const other = after.get(one.parent);
    if (other === undefined || one.at >= other.at) after.set(one.parent, one);
  }
  for (let one = chosen && after.get(chosen); one; one = after.get(one)) one.onPath = true;
}
