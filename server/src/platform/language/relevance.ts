import { headOf, type Piece } from './pieces.ts';
import { isQuestion } from './sentences.ts';
import { readWords, stemsIn } from './word-reader.ts';

/** A word of the same everyday concept counts this much of the word itself. */
const RELATED = 0.5;
/** A question says less than a statement about the same. */
const ASKS = 0.7;
/** What matches less than this share of the best is left out. */
const NEARLY = 0.4;
const CONTINUES = /^(?:he|she|they|it|his|her|their|its|this|that|these|those|there|then)\b/i;
/** A heading or a list's first line that is longer is a text by itself. */
const TITLE_MAX = 120;

/** Whether a sentence needs the one before it to be understood. */
export const continues = ({ kind, text }: Piece): boolean => kind !== 'code' && CONTINUES.test(text);

/** How well a piece fits a question, from 0 to 1. */
export type Relevance = (piece: Piece) => number;

/** Compares pieces with a question: the words of the question that few of `pieces` contain count most. */
export function relevanceTo(question: string, pieces: readonly Piece[]): Relevance {
  const conceptsOf = conceptsByStem(question);
  const contents = new Map(pieces.map((piece) => [piece, readContent(piece.text)]));
  const weights = new Map<number, number>();
  for (const hash of stemsIn(question)) {
    let holding = 0;
    for (const { stems } of contents.values()) if (stems.has(hash)) holding += 1;
    weights.set(hash, Math.log(1 + (pieces.length + 1) / (holding + 1)));
  }
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return () => 0;
  return (piece) => {
    const content = contents.get(piece) ?? readContent(piece.text);
    let met = 0;
    for (const [hash, weight] of weights) {
      const isRelated = () => conceptsOf.get(hash)?.some((concept) => content.concepts.has(concept)) === true;
      met += weight * (content.stems.has(hash) ? 1 : isRelated() ? RELATED : 0);
    }
    return (met / total) * (isQuestion(piece.text) ? ASKS : 1);
  };
}

/** Its concepts are read when they are asked for: most words of a question have none. */
function readContent(text: string) {
  let concepts: Set<number> | undefined;
  return {
    stems: stemsIn(text),
    get concepts() {
      concepts ??= new Set(readWords(text).flatMap((word) => word.concepts.all));
      return concepts;
    },
  };
}

/** The concepts of each of a question's words, by its stem. */
const conceptsByStem = (question: string) => new Map(readWords(question).map((word) => [word.hash, word.concepts.all]));

/**
 * The places of a text's pieces that matter for a question, of about `length` characters in all: the best ones, each with what it needs to
 * be understood. The beginning when none fits better than others.
 */
export function chooseSentences(pieces: readonly Piece[], relevance: Relevance, length: number): Set<number> {
  const scores = pieces.map((piece) => relevance(piece));
  const best = Math.max(0, ...scores);
  const ranked = [...pieces.keys()].toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const chosen = new Set<number>();
  let left = length;
  for (const at of ranked) {
    if ((scores[at] ?? 0) < best * NEARLY) break;
    const needed = withNeighbours(pieces, at).filter((place) => !chosen.has(place));
    const size = needed.reduce((sum, place) => sum + (pieces[place]?.text.length ?? 0), 0);
    if (size > left && chosen.size > 0) continue;
    for (const place of needed) chosen.add(place);
    left -= size;
  }
  return chosen;
}

/** A piece with the sentences that it refers to, or that refer to it, and with the titles above it. */
function withNeighbours(pieces: readonly Piece[], at: number): number[] {
  const [before, piece, after] = [pieces[at - 1], pieces[at], pieces[at + 1]];
  if (piece === undefined) return [];
  const places = [...titlesOf(pieces, at), at];
  if (before?.kind === piece.kind && continues(piece)) places.push(at - 1);
  if (after?.line === piece.line && continues(after)) places.push(at + 1);
  return places;
}

/** The heading above a piece, the line that introduces its list or block, and its table's head. */
function titlesOf(pieces: readonly Piece[], at: number): number[] {
  const piece = pieces[at];
  if (piece === undefined || piece.kind === 'heading') return [];
  const places: number[] = [];
  const above = (from: number, fits: (one: Piece) => boolean) => {
    const place = pieces.findLastIndex((one, i) => i <= from && fits(one));
    if (place !== -1 && (pieces[place]?.text.length ?? 0) <= TITLE_MAX) places.push(place);
  };
  above(at - 1, ({ kind }) => kind === 'heading');
  if (piece.kind === 'row') places.push(...[headOf(piece, pieces) ?? at].filter((head) => head !== at));
  const start = pieces.findIndex(({ block }) => block === piece.block);
  if (piece.kind !== 'prose' && pieces[start - 1]?.text.endsWith(':')) places.push(start - 1);
  return places;
}
