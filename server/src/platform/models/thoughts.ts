/** A piece of what a model sends: its thinking, or its answer. */
export type Piece =
  | { type: 'thought' | 'delta'; text: string }
  /** The last `chars` characters of the answer were thinking, as only their end had a tag. */
  | { type: 'rethought'; chars: number };

/** What was seen of a model: whether its answers begin inside of a thought, because its template opens one. */
export interface ThinkingHabit {
  beginsInside: boolean;
}

/** Qwen, DeepSeek and most others; prompts for Claude; Gemma; Seed; Magistral; Kimi. */
const OPENING = ['<think>', '<thinking>', '<thought>', '<reasoning>', '<seed:think>', '[think]', '◁think▷'];
const endOf = (tag: string) => `${tag[0]}/${tag.slice(1)}`;
const CLOSING = OPENING.map(endOf);
const MARKS = '<[◁';
/** More blanks than this don't wait for a tag. */
const BLANKS_MAX = 1_000;
/** An answer that names the end of a thought so often writes about it. */
const LOOKS_MAX = 20;

/**
 * Tells thinking from answer in a stream. Only a tag that begins the text opens a thought: later on it is something that the model writes
 * about. An end without a beginning makes what came before it a thought, unless it stands in code. Pieces may end in the middle of a tag,
 * so what could begin one is held until more comes.
 */
export class ThoughtReader {
  #state: 'start' | 'thinking' | 'answering' | 'closed' = 'start';
  #held = '';
  #hadThought = false;
  #isToldApart = false;
  /** What ends the thought: of one whose beginning is presumed, any tag. */
  #ends: readonly string[] = CLOSING;
  /** The thought whose beginning is presumed: the answer, if nothing ends it. */
  #presumed: string | undefined;
  /** The answer so far, as long as it may turn out to be a thought. */
  #said = '';
  #looks = LOOKS_MAX;
  readonly #habit: ThinkingHabit;

  constructor(habit: ThinkingHabit = { beginsInside: false }) {
    this.#habit = habit;
  }

  /** The provider itself tells thinking apart: an end within the answer is one that the model writes about. */
  toldApart(): void {
    this.#isToldApart = true;
    this.#habit.beginsInside = false;
  }

  /** What is certain after this piece. */
  read(text: string): Piece[] {
    this.#held += text;
    const pieces: Piece[] = [];
    for (let goesOn = true; goesOn; ) goesOn = this.#step(pieces);
    return pieces;
  }

  /** What was held to the end. */
  end(): Piece[] {
    const rest = this.#held;
    this.#held = '';
    if (this.#state === 'closed' || (this.#hadThought && rest.trim() === '')) return [];
    if (this.#state !== 'thinking') return piece('delta', rest);
    if (this.#presumed === undefined) return piece('thought', rest);
    this.#habit.beginsInside = false;
    return piece('delta', this.#presumed + rest);
  }

  /** Reads on in the present state; false when it needs more. */
  #step(pieces: Piece[]): boolean {
    if (this.#state === 'start') return this.#begin();
    if (this.#state === 'thinking') return this.#think(pieces);
    return this.#state === 'closed' ? this.#reopen(pieces) : this.#answer(pieces);
  }

  #begin(): boolean {
    const start = this.#held.trimStart();
    const opened = OPENING.find((tag) => isAt(start, 0, tag));
    if (opened !== undefined) {
      this.#ends = [endOf(opened)];
      this.#held = start.slice(opened.length);
      this.#state = 'thinking';
      return true;
    }
    if (this.#hadThought) this.#held = start;
    if (couldBegin(start, OPENING) && this.#held.length < BLANKS_MAX) return false;
    const isInside = this.#habit.beginsInside && !this.#hadThought;
    if (isInside) this.#presumed = '';
    this.#state = isInside ? 'thinking' : 'answering';
    return true;
  }

  #think(pieces: Piece[]): boolean {
    const match = findTag(this.#held, this.#ends);
    const thought = this.#take(match?.at ?? certain(this.#held, this.#ends));
    if (this.#presumed !== undefined) this.#presumed += thought;
    pieces.push(...piece('thought', thought));
    if (match === undefined) return false;
    this.#take(match.tag.length);
    this.#hadThought = true;
    this.#looks = 0;
    this.#state = 'start';
    return true;
  }

  #answer(pieces: Piece[]): boolean {
    const match = this.#looks === 0 ? undefined : findTag(this.#held, CLOSING);
    const end = this.#looks === 0 ? this.#held.length : certain(this.#held, CLOSING);
    if (match === undefined) {
      this.#say(pieces, end);
      return false;
    }
    const before = this.#said + this.#held.slice(0, match.at);
    const isWritten = isInCode(before) || (this.#isToldApart && before.trim() !== '');
    if (isWritten || findTag(before, OPENING) !== undefined) {
      this.#looks -= 1;
      this.#say(pieces, match.at + match.tag.length);
      return true;
    }
    this.#say(pieces, match.at);
    this.#take(match.tag.length);
    this.#state = 'closed';
    return true;
  }

  /** Only words after it show that what came before was a thought. */
  #reopen(pieces: Piece[]): boolean {
    this.#held = this.#held.trimStart();
    if (this.#held === '') return false;
    if (this.#said !== '') pieces.push({ type: 'rethought', chars: this.#said.length });
    if (this.#said.trim() !== '') this.#habit.beginsInside = true;
    this.#looks = 0;
    this.#state = 'answering';
    return true;
  }

  #say(pieces: Piece[], length: number): void {
    const text = this.#take(length);
    if (this.#looks > 0) this.#said += text;
    pieces.push(...piece('delta', text));
  }

  #take(length: number): string {
    const head = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return head;
  }
}

const piece = (type: 'thought' | 'delta', text: string): Piece[] => (text === '' ? [] : [{ type, text }]);

const isAt = (text: string, at: number, tag: string) => text.slice(at, at + tag.length).toLowerCase() === tag;

const couldBegin = (text: string, tags: readonly string[]) => tags.some((tag) => tag.startsWith(text.toLowerCase()));

function findTag(text: string, tags: readonly string[]): { at: number; tag: string } | undefined {
  for (let at = 0; at < text.length; at += 1) {
    const tag = MARKS.includes(text.charAt(at)) ? tags.find((one) => isAt(text, at, one)) : undefined;
    if (tag !== undefined) return { at, tag };
  }
  return undefined;
}

/** How much of a text can’t be part of a tag whose end is still to come. */
function certain(text: string, tags: readonly string[]): number {
  const longest = Math.max(...tags.map((tag) => tag.length));
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
    if (MARKS.includes(text.charAt(at)) && couldBegin(text.slice(at), tags)) return at;
  }
  return text.length;
}

/** Whether a text ends within a fence or between backticks of its last line. */
function isInCode(text: string): boolean {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  let fence = '';
  for (const line of lines) {
    const mark = line.trimStart().slice(0, 3);
    if (mark !== '```' && mark !== '~~~') continue;
    if (fence === '') fence = mark;
    else if (fence === mark) fence = '';
  }
  return fence !== '' || last.split('`').length % 2 === 0;
}
