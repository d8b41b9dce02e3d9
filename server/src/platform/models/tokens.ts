/** What a call took. */
export interface TokenCount {
  inputTokens: number;
  outputTokens: number;
  /** The figures are our estimate, because the provider did not count them. */
  estimated: boolean;
}

// No exact tokenizer: each model has its own, and a hostile text can freeze one. The weights are those of OpenAI's o200k vocabulary, see
// tokens.test.ts; how far a model differs is learned from what it counts itself.

/** Tokens for each letter of ASCII: four letters are one. */
const LETTER = 0.25;
const DIGIT = 0.45;
const MARK = 0.85;
const LINE = 0.3;
/** Letters and digits without sense, such as base64, as soon as so many stand together. */
const DENSE = 0.65;
const DENSE_FROM = 24;
const OTHER = 0.95;

/** Tokens for each character of a script, by its last character and ascending. */
const SCRIPTS: readonly (readonly [until: number, tokens: number])[] = [
  // Accents of western and of other languages, Greek, Cyrillic, Armenian, Hebrew, Arabic, the scripts of India, Thai and Lao.
  [0xbf, OTHER],
  [0xff, 0.8],
  [0x24f, 1.6],
  [0x36f, OTHER],
  [0x3ff, 0.46],
  [0x52f, 0.34],
  [0x58f, 0.7],
  [0x5ff, 0.46],
  [0x77f, 0.36],
  [0x8ff, OTHER],
  [0xdff, 0.42],
  [0xeff, 0.45],
  [0x109f, OTHER],
  [0x10ff, 0.4],
  [0x11ff, OTHER],
  [0x137f, 2.3],
  [0x1dff, OTHER],
  // Vietnamese, general punctuation, symbols, kana, Han, Hangul.
  [0x1eff, 0.55],
  [0x1fff, 0.6],
  [0x206f, MARK],
  [0x2fff, OTHER],
  [0x30ff, 0.8],
  [0x9fff, 0.85],
  [0xabff, OTHER],
  [0xd7ff, 0.76],
];
/** Letters that their script's other languages lack. */
const VIETNAMESE = 'ăđơưĂĐƠƯ';
const UKRAINIAN = 'іїєґІЇЄҐ';

/** How many tokens each character takes. */
const WEIGHTS = (() => {
  const weights = new Float64Array(0x1_0000).fill(OTHER);
  let from = 0;
  for (const [until, tokens] of SCRIPTS) {
    weights.fill(tokens, from, until + 1);
    from = until + 1;
  }
  for (const letter of VIETNAMESE) weights[letter.charCodeAt(0)] = 0.6;
  for (const letter of UKRAINIAN) weights[letter.charCodeAt(0)] = 1.3;
  for (let code = 0; code < 0x80; code += 1) weights[code] = ofAscii(String.fromCharCode(code));
  return weights;
})();

function ofAscii(sign: string): number {
  if (/[a-z]/iu.test(sign)) return LETTER;
  if (/\d/u.test(sign)) return DIGIT;
  if (sign === '\n') return LINE;
  return /\s/u.test(sign) ? 0.02 : MARK;
}

/** How many tokens a text takes, by its scripts: an estimate that is rather too high than too low, in linear time. */
export function countTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  let digits = 0;
  let weighed = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const weight = WEIGHTS[code] ?? OTHER;
    const isDigit = code >= 48 && code <= 57;
    if (isDigit || weight === WEIGHTS[97] || code === 43 || code === 47) {
      run += 1;
      if (isDigit) digits += 1;
      weighed += weight;
      continue;
    }
    tokens += weight + ofRun(run, digits, weighed);
    run = digits = weighed = 0;
  }
  return Math.ceil(Math.max(0, tokens + ofRun(run, digits, weighed) - 1e-6));
}

/** The tokens of letters and digits that stand together. */
const ofRun = (length: number, digits: number, weighed: number): number =>
  length > DENSE_FROM && digits > 0 && digits < length ? length * DENSE : weighed;

/** How many characters of a text so many tokens are, as if it were the same from beginning to end. */
export const charactersIn = (text: string, tokens: number): number => {
  const all = countTokens(text);
  return all <= tokens ? text.length : Math.floor((text.length * Math.max(0, tokens)) / all);
};
