// Tokens are counted as characters / 4: an exact tokenizer can be frozen by hostile text.
const CHARS_A_TOKEN = 4;
/** What is kept free for the answer: a quarter of the window, at most this. */
const ANSWER_TOKENS = 4_000;
/** What our own sentences around the quotations take. */
const FRAME_TOKENS = 300;
/** Of what prompt and message leave, memory and knowledge take at most this share; the conversation takes the rest. */
const MEMORY_SHARE = 0.35;

/** Of what memory, summary and the tools' descriptions leave, what tools answer has at least this share. */
const ANSWERS_SHARE = 0.4;
/** Of the room, the descriptions of the tools take at most this share. */
const TOOLS_SHARE = 0.4;
/** A call takes this beside its input and answer. */
const CALL_TOKENS = 20;

export const tokensOf = (text: string): number => Math.ceil(text.length / CHARS_A_TOKEN);

export interface Budget {
  /** Tokens for recalled memories and files. */
  memory: number;
  /** Tokens for memories, summary and earlier exchanges together. */
  room: number;
}

/**
 * Shares a model's window. The agent's prompt and the person's message are always given whole; whatever else there is shares what
 * they leave, so that no memory, file or long conversation can push the prompt out.
 */
export function shareBudget(window: number, prompt: string, message: string): Budget {
  const answer = Math.min(ANSWER_TOKENS, Math.floor(window / 4));
  const room = Math.max(0, window - answer - FRAME_TOKENS - tokensOf(prompt) - tokensOf(message));
  return { memory: Math.floor(room * MEMORY_SHARE), room };
}

/** The first of what was recalled that fit, in their order; one that is too large is passed over, for a shorter one may follow. */
export function fitMemories<T extends { text: string }>(
  recalled: readonly T[],
  tokens: number,
): { kept: T[]; used: number } {
  const kept: T[] = [];
  let used = 0;
  for (const memory of recalled) {
    // The date and the speaker stand beside the words.
    const size = tokensOf(memory.text) + 12;
    if (used + size > tokens) continue;
    used += size;
    kept.push(memory);
  }
  return { kept, used };
}

export interface Exchange {
  inputText: string;
  message: string;
}

/** The newest exchanges that fit, in the order they were said. `newestFirst` is cut at the first that does not fit. */
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

/** The tools whose descriptions fit, in the order in which they were chosen. */
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

/** What earlier exchanges may take of the room that is left, so that tools have theirs. */
export const historyRoom = (rest: number, hasTools: boolean): number =>
  hasTools ? Math.floor(rest * (1 - ANSWERS_SHARE)) : rest;

/** The room that tools have for their answers within one run, in tokens. */
export class ToolRoom {
  #left: number;
  constructor(tokens: number) {
    this.#left = tokens;
  }

  /** Takes what the model asked. */
  asked(input: unknown): void {
    this.#left -= tokensOf(JSON.stringify(input) ?? '') + CALL_TOKENS;
  }

  /** Characters that the next answer may have: half of what is left, so that those after it have some too. */
  get next(): number {
    return Math.max(0, Math.floor(this.#left / 2) * CHARS_A_TOKEN);
  }

  answered(output: unknown): void {
    this.#left -= tokensOf(JSON.stringify(output) ?? '');
  }
}
