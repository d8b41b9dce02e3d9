/** A stretch of a document under one heading, on one page, or in one range of lines. */
export interface Section {
  /** Where it stands, in words that a citation shows: `page 3`, `“Setup”`, `rows 2–11`. */
  place: string;
  text: string;
}

/** One searchable piece of a document. */
export type Passage = Section;

/** The longest text of one passage, in characters: retrieval is only as precise as its pieces. */
export const PASSAGE_MAX = 900;

/** Cuts sections into passages: at blank lines, else at lines or sentences, else at words. None crosses the end of its section. */
export function cutIntoPassages(sections: readonly Section[]): Passage[] {
  return sections.flatMap(({ place, text }) => pieces(clean(text)).map((piece) => ({ place, text: piece })));
}

/** Neither NULs nor halves of surrogate pairs can be stored; runs of blanks say nothing. */
const clean = (text: string) =>
  text
    .replaceAll('\0', '')
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\t\u00a0 ]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

function pieces(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  while (text.length - at > PASSAGE_MAX) {
    const head = text.slice(at, at + PASSAGE_MAX);
    const cut = cutOf(head);
    found.push(head.slice(0, cut).trim());
    at += cut;
  }
  found.push(text.slice(at).trim());
  return found.filter((piece) => piece !== '');
}

function cutOf(head: string): number {
  const sentence = Math.max(...['. ', '! ', '? ', '\n'].map((end) => head.lastIndexOf(end) + 1));
  const places = [head.lastIndexOf('\n\n'), sentence, head.lastIndexOf(' ')];
  const fitting = places.find((place) => place > head.length / 3);
  if (fitting !== undefined) return fitting;
  return /[\uD800-\uDBFF]$/.test(head) ? head.length - 1 : head.length;
}
