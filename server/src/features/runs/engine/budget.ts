// Tokens are counted as characters / 4: an exact tokenizer can be frozen by hostile text.
const CHARS_A_TOKEN = 4;
/** Kept free for the answer: a quarter of the window, at most this. */
const ANSWER_TOKENS = 4_000;
/** What our own sentences around the quotations take. */
const FRAME_TOKENS = 300;
/** The largest share for memory and files of what prompt and message leave; the conversation gets the rest. */
const MEMORY_SHARE = 0.35;
/** However large the window: more quotations would help less than they distract. */
const MEMORY_TOKENS = 4_000;

/** The smallest share for tool answers of what memory, summary and tool descriptions leave. */
const ANSWERS_SHARE = 0.4;
/** The largest share of the room for tool descriptions. */
const TOOLS_SHARE = 0.4;
/** What a call takes beside its input and answer. */
const CALL_TOKENS = 20;

export const tokensOf = (text: string): number => Math.ceil(text.length / CHARS_A_TOKEN);

export interface Budget {
  /** Tokens for recalled memories and files. */
  memory: number;
  /** Tokens for memories, summary and earlier exchanges together. */
  room: number;
}

/**
 * Divides a model's window. The agent's prompt and the person's message are always sent whole; everything else shares the rest, so no
 * memory, file or long conversation can push the prompt out.
 */
export function shareBudget(window: number, prompt: string, message: string): Budget {
  const answer = Math.min(ANSWER_TOKENS, Math.floor(window / 4));
  const room = Math.max(0, window - answer - FRAME_TOKENS - tokensOf(prompt) - tokensOf(message));
  return { memory: Math.min(MEMORY_TOKENS, Math.floor(room * MEMORY_SHARE)), room };
}

export interface Exchange {
  inputText: string;
  message: string;
}

/** The newest exchanges that fit, oldest first. Stops at the first of `newestFirst` that doesn't fit. */
export function fitHistory<T extends Exchange>(
  newestFirst: readonly T[],
  tokens: number,
): { kept: T[]; cut: boolean; used: number } {
  let used = 0;
  const fitting = newestFirst.findIndex((exchange) => {
    const size = tokensOf(exchange.inputText) + tokensOf(exchange.message);
    if (used + size > tokens) return true;
    used += size;
    return false;
  });
  const kept = fitting === -1 ? newestFirst.slice() : newestFirst.slice(0, fitting);
  return { kept: kept.toReversed(), cut: fitting !== -1, used };
}

interface Described {
  id: string;
  description: string;
  inputSchema: unknown;
}

/** The tools whose descriptions fit, in the chosen order. */
export function fitTools<T extends Described>(tools: readonly T[], room: number): { kept: T[]; used: number } {
  const kept: T[] = [];
  let used = 0;
  for (const tool of tools) {
    const size = tokensOf(tool.id + tool.description + JSON.stringify(tool.inputSchema)) + CALL_TOKENS;
    if (used + size > room * TOOLS_SHARE) continue;
    used += size;
    kept.push(tool);
  }
  return { kept, used };
}

/** How much of the remaining room earlier exchanges may take, so that tools have theirs. */
export const historyRoom = (rest: number, hasTools: boolean): number =>
  hasTools ? Math.floor(rest * (1 - ANSWERS_SHARE)) : rest;

/** The room for tool answers in one run, in tokens. */
export class ToolRoom {
  #left: number;
  constructor(tokens: number) {
    this.#left = tokens;
  }

  /** Subtracts what the model sent. */
  asked(input: unknown): void {
    this.#left -= tokensOf(JSON.stringify(input) ?? '') + CALL_TOKENS;
  }

  /** How many characters the next answer may have: half of what is left, so later ones have some too. */
  get next(): number {
    return Math.max(0, Math.floor(this.#left / 2) * CHARS_A_TOKEN);
  }

  answered(output: unknown): void {
    this.#left -= tokensOf(JSON.stringify(output) ?? '');
  }
}
