import type { Deps } from '../../../platform/deps.ts';
import { charactersIn, countTokens } from '../../../platform/models/tokens.ts';
import { readable, VALUE_MAX, writtenOf } from './tool-values.ts';

/** Kept free for the answer: a quarter of the window, at most this. */
export const ANSWER_TOKENS = 16_000;
/** What our own sentences around the quotations take. */
export const FRAME_TOKENS = 300;
/** The largest share for memory and files of what prompt and message leave; the conversation gets the rest. */
const MEMORY_SHARE = 0.35;
/** However large the window: more quotations would help less than they distract. */
const MEMORY_TOKENS = 4_000;

/** The smallest share for tool answers of what memory, summary and tool descriptions leave. */
const ANSWERS_SHARE = 0.4;
/** The largest share of the room for tool descriptions. */
const TOOLS_SHARE = 0.4;
/** The largest share for what tools answered earlier in the conversation. */
const EARLIER_SHARE = 0.2;
/** What a call takes beside its input and answer. */
const CALL_TOKENS = 20;
/** OpenAI refuses a list of more than 128; two more search the rest. */
const TOOLS_MAX = 126;
/** What a provider writes around a tool's description; OpenAI's models count 7. */
const DESCRIBED_TOKENS = 8;

/**
 * The window of the model that answers for an id, in tokens as they are counted here; the operator's word counts for every model, and what
 * a model has shown of its own counting for both.
 */
export const windowOf = ({ config, models }: Pick<Deps, 'config' | 'models'>, model: string): number =>
  models.measured(model, config.MODEL_CONTEXT_TOKENS ?? models.accepted(model).contextTokens);

export interface WindowShare {
  /** Tokens for recalled memories and files. */
  memory: number;
  /** Tokens for memories, summary and earlier exchanges together. */
  room: number;
}

/**
 * Divides a model's window. The agent's prompt and the person's message are always sent whole; everything else shares the rest, so no
 * memory, file or long conversation can push the prompt out.
 */
export function shareBudget(window: number, prompt: string, message: string): WindowShare {
  const answer = Math.min(ANSWER_TOKENS, Math.floor(window / 4));
  const room = Math.max(0, window - answer - FRAME_TOKENS - countTokens(prompt) - countTokens(message));
  return { memory: Math.min(MEMORY_TOKENS, Math.floor(room * MEMORY_SHARE)), room };
}

/** The largest share of the room for what came with the message, and for what came with earlier ones of what these leave. */
const ATTACHED_SHARE = 0.7;
const EARLIER_ATTACHED_SHARE = 0.5;

export const attachedRoom = (room: number): number => Math.floor(room * ATTACHED_SHARE);
export const earlierAttachedRoom = (rest: number): number => Math.floor(Math.max(0, rest) * EARLIER_ATTACHED_SHARE);

/** The budget without what the message's attachments take. */
export function afterAttached({ memory, room }: WindowShare, used: number): WindowShare {
  const rest = Math.max(0, room - used);
  return { memory: Math.min(memory, Math.floor(rest * MEMORY_SHARE)), room: rest };
}

export interface Exchange {
  inputText: string;
  message: string;
}

/** The newest exchanges that fit, oldest first. Stops at the first of `newestFirst` that doesn't fit. */
export function fitHistory<T extends Exchange>(
  newestFirst: readonly T[],
  tokens: number,
): { exchanges: T[]; cut: boolean; used: number } {
  let used = 0;
  const fitting = newestFirst.findIndex((exchange) => {
    const size = countTokens(exchange.inputText) + countTokens(exchange.message);
    if (used + size > tokens) return true;
    used += size;
    return false;
  });
  const history = fitting === -1 ? newestFirst.slice() : newestFirst.slice(0, fitting);
  return { exchanges: history.toReversed(), cut: fitting !== -1, used };
}

interface Described {
  id: string;
  description: string;
  inputSchema: unknown;
}

/** The tools whose descriptions fit, in the chosen order. */
export function fitTools<T extends Described>(tools: readonly T[], room: number): { fitting: T[]; used: number } {
  const fitting: T[] = [];
  let used = 0;
  for (const tool of tools) {
    const size = countTokens(tool.id + tool.description + JSON.stringify(tool.inputSchema)) + DESCRIBED_TOKENS;
    if (fitting.length === TOOLS_MAX || used + size > room * TOOLS_SHARE) continue;
    used += size;
    fitting.push(tool);
  }
  return { fitting, used };
}

/** How much of the remaining room earlier exchanges may take, so that tools have theirs. */
export const historyRoom = (rest: number, hasTools: boolean): number =>
  hasTools ? Math.floor(rest * (1 - ANSWERS_SHARE)) : rest;

/** How much of the room what tools answered earlier may take. */
export const earlierRoom = (room: number): number => Math.floor(room * EARLIER_SHARE);

/** The size that each of several texts may have, so that together they fit: short ones stay whole, and long ones get the same. */
export function fairLength(lengths: readonly number[], room: number): number {
  let remaining = Math.max(0, room);
  const ascending = lengths.toSorted((a, b) => a - b);
  for (const [at, length] of ascending.entries()) {
    const share = remaining / (ascending.length - at);
    if (length > share) return Math.floor(share);
    remaining -= length;
  }
  return Number.POSITIVE_INFINITY;
}

/** The room for tool answers in one run. Later answers take from earlier ones, until all have the same. */
export class ToolRoom {
  #room: number;
  readonly #sizes: number[] = [];
  constructor(tokens: number) {
    this.#room = tokens;
  }

  /** Subtracts what the model sent. */
  charge(input: unknown): void {
    this.#room -= sizeOf(input) + CALL_TOKENS;
  }

  /** Takes room for a picture; false, and nothing is taken, when it would leave answers less than half of what there is. */
  reserve(tokens: number): boolean {
    if (tokens > this.#room / 2) return false;
    this.#room -= tokens;
    return true;
  }

  /** The next answer, as much of it as fits beside the others. */
  record(answer: unknown): unknown {
    const output = within(answer, fairLength([...this.#sizes, Number.POSITIVE_INFINITY], this.#room));
    this.#sizes.push(sizeOf(output));
    return output;
  }

  /** The answers so far, as much of each as fits by now. */
  fit(answers: readonly unknown[]): unknown[] {
    const most = fairLength(answers.map(sizeOf), this.#room);
    return answers.map((answer) => within(answer, most));
  }
}

const sizeOf = (value: unknown): number => countTokens(writtenOf(value));

const within = (value: unknown, tokens: number): unknown =>
  readable(value, Math.min(VALUE_MAX, charactersIn(writtenOf(value), tokens)));
