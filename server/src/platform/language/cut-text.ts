import { readSentences } from './sentences.ts';

/** Cuts a long text into pieces of at most `max` characters: at paragraphs, or else at sentences, or else at words; drops blank pieces. */
export function splitText(text: string, max: number): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > max) {
    const head = rest.slice(0, max);
    const cut =
      [head.lastIndexOf('\n\n'), lastSentence(head), head.lastIndexOf(' ')].find((at) => at > max / 3) ??
      wholeLength(head);
    pieces.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}

/** The length of a text without half of a character cut off at its end. */
const wholeLength = (text: string) => (/[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length);

const lastSentence = (text: string) => readSentences(text).at(-1)?.start ?? -1;
