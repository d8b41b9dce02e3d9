const BEGIN = '<think>';
const END = '</think>';

/** A model's text without its thoughts between `<think>` and `</think>`. A thought without an end stays. */
export function withoutThoughts(text: string): string {
  const lower = text.toLowerCase();
  // Lower case may change the length; then the positions would be wrong.
  const searched = lower.length === text.length ? lower : text;
  let said = '';
  for (let at = 0; ; ) {
    const begin = searched.indexOf(BEGIN, at);
    const end = begin < 0 ? -1 : searched.indexOf(END, begin);
    if (end < 0) return said + text.slice(at);
    said += text.slice(at, begin);
    at = end + END.length;
  }
}

/** A piece of what a model sends: its thinking, or its answer. */
export interface Piece {
  type: 'thought' | 'delta';
  text: string;
}

/**
 * Tells thinking from answer in a stream. Only a `<think>` that begins the text is a thought: later on it is something that the model
 * writes about. Pieces may end in the middle of a tag, so what could begin one is held until more comes.
 */
export class ThoughtReader {
  #state: 'start' | 'thinking' | 'before-answer' | 'answering' = 'start';
  #held = '';

  /** What is certain after this piece. */
  read(text: string): Piece[] {
    if (this.#state === 'answering') return piece('delta', text);
    this.#held += text;
    return [...this.#begin(), ...this.#think(), ...this.#answer()];
  }

  /** What was held to the end. */
  end(): Piece[] {
    const rest = this.#held;
    this.#held = '';
    return this.#state === 'before-answer' ? [] : piece(this.#state === 'thinking' ? 'thought' : 'delta', rest);
  }

  #begin(): Piece[] {
    if (this.#state !== 'start') return [];
    const start = this.#held.trimStart();
    if (start.length < BEGIN.length && BEGIN.startsWith(start.toLowerCase())) return [];
    if (!start.toLowerCase().startsWith(BEGIN)) return this.#pass();
    this.#held = start.slice(BEGIN.length);
    this.#state = 'thinking';
    return [];
  }

  #think(): Piece[] {
    if (this.#state !== 'thinking') return [];
    const end = this.#held.indexOf(END);
    if (end >= 0) {
      const thought = this.#held.slice(0, end);
      this.#held = this.#held.slice(end + END.length);
      this.#state = 'before-answer';
      return piece('thought', thought);
    }
    const keep = beginsAtEnd(this.#held);
    const thought = this.#held.slice(0, this.#held.length - keep);
    this.#held = this.#held.slice(this.#held.length - keep);
    return piece('thought', thought);
  }

  #answer(): Piece[] {
    if (this.#state !== 'before-answer') return [];
    this.#held = this.#held.trimStart();
    return this.#held === '' ? [] : this.#pass();
  }

  #pass(): Piece[] {
    const text = this.#held;
    this.#held = '';
    this.#state = 'answering';
    return piece('delta', text);
  }
}

const piece = (type: Piece['type'], text: string): Piece[] => (text === '' ? [] : [{ type, text }]);

/** How many characters at the end of a text may begin the end of a thought. */
function beginsAtEnd(text: string): number {
  const tail = text.slice(-(END.length - 1));
  for (let length = tail.length; length > 0; length -= 1)
    if (END.startsWith(tail.slice(tail.length - length))) return length;
  return 0;
}
