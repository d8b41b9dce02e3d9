/** A stretch of a document under one heading, on one page, or in one range of lines. */
export interface Section {
  /** Where it is, as a citation shows it: `page 3`, `“Setup”`, `rows 2–11`. A heading is in quotation marks. */
  place: string;
  text: string;
}

/** A link of a web page, as written there. */
export interface Link {
  text: string;
  href: string;
}

/** What a reader extracts from a document. */
export interface Document {
  title?: string;
  /** Starts from the beginning at each call. */
  sections: () => Iterable<Section>;
  /** Where the reader stopped, for people: `2,000 pages`. Missing when it read everything. */
  only?: string | undefined;
  /** What else a person should know about the reading, in sentences. */
  notes?: string[];
  /** Where a web page leads on to. */
  links?: Link[];
  /** Nothing more than this was found out: some of it are pictures of text, to be recognized later. */
  pictures?: boolean;
}

interface Cut {
  /** The searchable pieces of a document. */
  passages: Section[];
  /** What was kept, if not everything, for people: `5,000 passages`. */
  only: string | null;
}

/** The longest text of one passage, in characters: retrieval is only as precise as its pieces. */
export const PASSAGE_MAX = 900;
/** Above this number, neighbouring sections share passages. */
const PRECISE_MAX = 5_000;
/** The most passages kept of one document: more than 10 MB of text fill. */
export const PASSAGES_MAX = 40_000;
/** The most text kept of one document, in characters; a table of 10 MB is longer with its headings. */
export const TEXT_MAX = 16_000_000;

/**
 * Cuts a document into passages: at blank lines, or else at lines or sentences, or else at words. A heading without text joins what
 * follows. A passage never crosses the end of its section, unless there would be too many; then neighbours share one.
 */
export function cutIntoPassages(sections: () => Iterable<Section>): Cut {
  const precise = cut(joinHeadings(sections()), PRECISE_MAX);
  return precise.only === null ? precise : cut(joinNeighbours(sections()), PASSAGES_MAX);
}

function cut(sections: Iterable<Section>, most: number): Cut {
  const passages: Section[] = [];
  let characters = 0;
  for (const { place, text } of sections) {
    for (const piece of pieces(text)) {
      if (passages.length === most) return { passages, only: `${most.toLocaleString('en')} passages` };
      if (characters + piece.length > TEXT_MAX) return { passages, only: `${TEXT_MAX / 1e6} million characters` };
      characters += piece.length;
      passages.push({ place, text: piece });
    }
  }
  return { passages, only: null };
}

function* joinHeadings(sections: Iterable<Section>): Iterable<Section> {
  let headings: Section | undefined;
  for (const section of cleaned(sections)) {
    const joins =
      headings !== undefined &&
      (headings.text.length <= PASSAGE_MAX / 3 || headings.text.length + section.text.length < PASSAGE_MAX);
    if (headings !== undefined && !joins) yield headings;
    const before = joins ? headings : undefined;
    headings = undefined;
    const whole = before === undefined ? section : join(before, section);
    if (isHeading(section)) headings = whole;
    // Text after the last heading is cited by it.
    else yield { ...whole, place: section.place };
  }
  if (headings !== undefined) yield headings;
}

function* joinNeighbours(sections: Iterable<Section>): Iterable<Section> {
  let pending: Section | undefined;
  for (const section of cleaned(sections)) {
    if (pending === undefined) pending = section;
    else if (pending.text.length + section.text.length < PASSAGE_MAX) pending = join(pending, section);
    else {
      yield pending;
      pending = section;
    }
  }
  if (pending !== undefined) yield pending;
}

function* cleaned(sections: Iterable<Section>): Iterable<Section> {
  for (const { place, text } of sections) {
    const clean = cleanText(text);
    if (clean !== '') yield { place: cleanText(place), text: clean };
  }
}

/** A section's heading is its first line. */
const isHeading = ({ place, text }: Section) => place.startsWith('“') && !text.includes('\n');

function join(one: Section, other: Section): Section {
  const [from = one.place] = one.place.split(BETWEEN, 1);
  return {
    place: from === other.place ? from : `${from}${BETWEEN}${other.place}`,
    text: `${one.text}\n${other.text}`,
  };
}

const BETWEEN = ' to ';

/** Removes NULs and halves of surrogate pairs, which can't be stored, places where a word may break, and runs of spaces. */
const cleanText = (text: string) =>
  oneBlank(
    text
      .replaceAll(/[\0\u00ad]/g, '')
      .toWellFormed()
      .replaceAll('\r\n', '\n'),
  )
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** Works in pieces: a match of ten million characters can overflow the regular expression engine. */
function oneBlank(text: string): string {
  const shorter = text.replaceAll(/[\t\u00a0 ]{1,1000}/g, ' ');
  return shorter.length < text.length ? oneBlank(shorter) : shorter;
}

function* pieces(text: string): Iterable<string> {
  let at = 0;
  while (text.length - at > PASSAGE_MAX) {
    const head = text.slice(at, at + PASSAGE_MAX);
    const end = cutOf(head);
    const piece = head.slice(0, end).trim();
    if (piece !== '') yield piece;
    at += end;
  }
  const rest = text.slice(at).trim();
  if (rest !== '') yield rest;
}

function cutOf(head: string): number {
  const sentence = Math.max(...['. ', '! ', '? ', '。', '！', '？', '\n'].map((end) => head.lastIndexOf(end) + 1));
  const places = [head.lastIndexOf('\n\n'), sentence, head.lastIndexOf(' ')];
  const fitting = places.find((place) => place > head.length / 3);
  if (fitting !== undefined) return fitting;
  return /[\uD800-\uDBFF]$/.test(head) ? head.length - 1 : head.length;
}
