import type { Extension as FromMarkdown } from 'mdast-util-from-markdown';
import type { Code, Construct, Effects, Extension, State, TokenizeContext } from 'micromark-util-types';

/** A formula in TeX. */
export interface Formula {
  type: 'formula';
  value: string;
  /** As written, with its marks. */
  source: string;
  /** It stands on lines of its own. */
  display: boolean;
  /** Its end is still being written. */
  open: boolean;
}

declare module 'mdast' {
  interface RootContentMap {
    formula: Formula;
  }
  interface PhrasingContentMap {
    formula: Formula;
  }
}
declare module 'micromark-util-types' {
  interface TokenTypeMap {
    formula: 'formula';
    formulaPart: 'formulaPart';
  }
}

const DOLLAR = 36;
const BACKSLASH = 92;
/** `\(` and `\[`, with what ends them. */
const BRACKETS = new Map([
  [40, 41],
  [91, 93],
]);

const isBreak = (code: Code) => code !== null && code < -2;
const isBlank = (code: Code) => code !== null && (code < 0 || code === 32);
const isWordSign = (code: Code) => code !== null && /[a-z0-9]/i.test(String.fromCharCode(code));

/** An amount of money is not a formula, nor are the words between two amounts: “5 and 10$”. */
const isMoney = (tex: string) => /^\d/.test(tex) && /\s[a-z]{2,}(?:\s|$)/i.test(tex) && !/[\\^_={}]/.test(tex);
/** Escaped brackets are usual in Markdown, so between them a formula must look like one. */
const looksLikeTex = (tex: string) => /[\\^_=+<>{}]/.test(tex);

/** How a formula begins, and so how it ends. */
interface Kind {
  mark: '$' | '$$' | 'bracket';
  /** The character that ends it after a backslash. */
  close: number;
  /** What may not follow a backslash inside. */
  begin: number;
}

interface Place {
  effects: Effects;
  self: TokenizeContext;
  ok: State;
  nok: State;
  flow: boolean;
  /** An unfinished one counts as a formula. */
  live: boolean;
}

/** Reads one formula. Each attempt ends at the next mark of its kind, so a text of marks takes a time that grows with it. */
class FormulaReader {
  readonly #at: Place;
  readonly #previous: Code;
  #kind: Kind = { mark: '$', close: 0, begin: 0 };
  #tex = '';
  #isOwnLine = true;
  #inPart = false;

  constructor(place: Place) {
    this.#at = place;
    this.#previous = place.self.previous;
  }

  readonly start: State = (code) => {
    const { effects, nok, flow } = this.#at;
    if (code === DOLLAR && (this.#previous === DOLLAR || (!flow && isWordSign(this.#previous)))) return nok(code);
    effects.enter('formula');
    this.#consume(code);
    return code === DOLLAR ? this.#second : this.#bracket;
  };

  readonly #bracket: State = (code) => {
    const close = code === null ? undefined : BRACKETS.get(code);
    if (close === undefined || (this.#at.flow && code !== 91)) return this.#at.nok(code);
    this.#kind = { mark: 'bracket', close, begin: code ?? 0 };
    this.#consume(code);
    return this.#inside;
  };

  readonly #second: State = (code) => {
    const { flow, nok } = this.#at;
    if (code !== DOLLAR) return flow || code === null || isBlank(code) ? nok(code) : this.#inside(code);
    this.#kind = { ...this.#kind, mark: '$$' };
    this.#consume(code);
    return (next) => (next === DOLLAR ? nok(next) : this.#inside(next));
  };

  readonly #inside: State = (code) => {
    const { self, flow, live, nok } = this.#at;
    const { mark } = this.#kind;
    if (code === null) return flow && live && !self.interrupt ? this.#end(code) : nok(code);
    if (isBreak(code)) {
      // Only a mark alone on its line ends the paragraph before it.
      if (self.interrupt) return this.#isOwnLine ? this.#end(code) : nok(code);
      return this.#lineBreak(code);
    }
    if (!isBlank(code)) this.#isOwnLine = false;
    if (code === DOLLAR && mark === '$$') return this.#closing(code);
    if (code === DOLLAR && mark === '$')
      return isBlank(this.#tex.charCodeAt(this.#tex.length - 1)) ? nok(code) : this.#closed(code);
    if (code === BACKSLASH) return this.#escape(code);
    this.#take(code);
    return this.#inside;
  };

  readonly #lineBreak: State = (code) => {
    const { effects, self, nok } = this.#at;
    this.#endPart();
    effects.enter('lineEnding');
    effects.consume(code);
    effects.exit('lineEnding');
    this.#tex += '\n';
    return (next) => (self.parser.lazy[self.now().line] ? nok(next) : this.#inside(next));
  };

  readonly #escape: State = (code) => {
    this.#consume(code);
    return (next) => {
      const { mark, close, begin } = this.#kind;
      if (mark === 'bracket' && next === close) return this.#closed(next);
      if (mark === 'bracket' && next === begin) return this.#at.nok(next);
      this.#tex += '\\';
      if (next === null || isBreak(next)) return this.#inside(next);
      this.#take(next);
      return this.#inside;
    };
  };

  readonly #closing: State = (code) => {
    this.#consume(code);
    return (next) => {
      if (next === DOLLAR) return this.#closed(next);
      // In a block a sum of money may stand in a text.
      if (!this.#at.flow) return this.#at.nok(next);
      this.#tex += '$';
      return this.#inside(next);
    };
  };

  readonly #closed: State = (code) => {
    this.#consume(code);
    return this.#after;
  };

  readonly #after: State = (code) => {
    const { nok, flow } = this.#at;
    const { mark, close } = this.#kind;
    if (this.#tex.trim() === '') return nok(code);
    if (flow) {
      if (isBlank(code) && !isBreak(code)) {
        this.#consume(code);
        return this.#after;
      }
      return code === null || isBreak(code) ? this.#end(code) : nok(code);
    }
    if (mark === '$' && (code === DOLLAR || isWordSign(code) || isMoney(this.#tex))) return nok(code);
    if (close === 93 && (code === 40 || !looksLikeTex(this.#tex))) return nok(code);
    return this.#end(code);
  };

  #take(code: Code): void {
    this.#tex += code === null || code < 0 ? ' ' : String.fromCharCode(code);
    this.#consume(code);
  }

  #consume(code: Code): void {
    if (!this.#inPart) this.#at.effects.enter('formulaPart');
    this.#inPart = true;
    this.#at.effects.consume(code);
  }

  #endPart(): void {
    if (this.#inPart) this.#at.effects.exit('formulaPart');
    this.#inPart = false;
  }

  #end(code: Code): State | undefined {
    this.#endPart();
    this.#at.effects.exit('formula');
    return this.#at.ok(code);
  }
}

/** Formulas between `$`, `$$`, `\(` and `\[`. While an answer grows, `live`, a block without its end counts as one. */
export function formulas(live: boolean): Extension {
  const construct = (flow: boolean): Construct => ({
    name: flow ? 'formulaFlow' : 'formulaText',
    concrete: flow,
    tokenize(effects, ok, nok) {
      return new FormulaReader({ effects, self: this, ok, nok, flow, live }).start;
    },
  });
  const [text, flow] = [construct(false), construct(true)];
  return { text: { [DOLLAR]: text, [BACKSLASH]: text }, flow: { [DOLLAR]: flow, [BACKSLASH]: flow } };
}

/** Makes tree nodes of them. */
export const formulasFromMarkdown: FromMarkdown = {
  enter: {
    formula(token) {
      const source = this.sliceSerialize(token).trimEnd();
      const size = source.startsWith('$') && !source.startsWith('$$') ? 1 : 2;
      const mark = source.slice(0, size);
      const close = mark === '\\(' ? '\\)' : mark === '\\[' ? '\\]' : mark;
      const open = !(source.length >= 2 * size && source.endsWith(close));
      const value = source.slice(size, open ? undefined : -size);
      this.enter(
        { type: 'formula', value: value.trim(), source, display: mark === '$$' || mark === '\\[', open },
        token,
      );
    },
  },
  exit: {
    formula(token) {
      this.exit(token);
    },
  },
};
