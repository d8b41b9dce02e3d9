import { keepRecent } from './recent.ts';
import { sentencesOf } from './sentences.ts';

/** A sentence of a text, with what is needed to write it again in its place in the Markdown. */
export interface Piece {
  /** Without the marks before it. */
  text: string;
  kind: 'prose' | 'item' | 'heading' | 'row' | 'code';
  /** The marks before it: of a list item, a heading, a quotation. */
  prefix: string;
  /** Pieces of one line stand beside each other. */
  line: number;
  /** Pieces of one paragraph, list, table or block of code. */
  block: number;
  /** Of a code block, its language; of a table's head, the line below it. */
  extra: string;
}

const FENCE = /^ {0,3}(?:```|~~~)/;
const HEADING = /^ {0,3}#{1,6} /;
const ITEM = /^[ \t]{0,12}(?:[-*+]|\d{1,9}[.)])[ \t]/;
const QUOTATION = /^ {0,3}> ?/;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})$/;
const UNDER_HEAD = /^[ \t|:-]+$/;
/** How many texts stay read: those of a hundred conversations that go on. */
const RECENT = 1_000;
/** A gap where sentences were left out. */
export const GAP = '…';

/**
 * The sentences of a text, each with its place in the Markdown. A row of a table and a line of code are one piece each; text that is not
 * Markdown is just prose.
 */
export const piecesOf = keepRecent(RECENT, (text): readonly Piece[] => {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const pieces: Piece[] = [];
  let block = 0;
  let fence = startsInCode(lines) ? '' : undefined;
  for (const [line, written] of lines.entries()) {
    const add = (kind: Piece['kind'], prefix: string, words: string, extra = '') => {
      if (kind !== pieces.at(-1)?.kind) block += 1;
      pieces.push({ kind, prefix, text: words, line, block, extra });
    };
    if (FENCE.test(written)) {
      fence = fence === undefined ? written.trim().slice(3).trim() : undefined;
      block += 1;
    } else if (fence !== undefined) {
      if (written !== '') add('code', '', written, fence);
    } else if (written === '' || RULE.test(written)) {
      block += 1;
    } else if (written.trimStart().startsWith('|')) {
      const under = lines[line + 1] ?? '';
      if (isUnderHead(written)) continue;
      add('row', '', written.trim(), isUnderHead(under) ? under.trim() : '');
    } else {
      const prefix = (HEADING.exec(written) ?? ITEM.exec(written) ?? QUOTATION.exec(written))?.[0] ?? '';
      const kind = HEADING.test(written) ? 'heading' : prefix === '' ? 'prose' : 'item';
      const sentences = kind === 'heading' ? [written.slice(prefix.length)] : sentencesOf(written.slice(prefix.length));
      for (const [at, sentence] of sentences.entries()) add(kind, at === 0 ? prefix : '', sentence);
    }
  }
  return pieces;
});

/** Whether a text is the later part of one that was cut in a block of code: its first fence has no language, and closes the block. */
function startsInCode(lines: readonly string[]): boolean {
  const fences = lines.filter((line) => FENCE.test(line));
  return fences.length % 2 === 1 && fences[0]?.trim().length === 3;
}

const isUnderHead = (line: string) => line.includes('-') && line.includes('|') && UNDER_HEAD.test(line);

/** Some pieces of a text, in its order and its Markdown; “…” stands where others were left out. All of them give the text itself. */
export function writePieces(text: string, pieces: readonly Piece[], kept: ReadonlySet<number>): string {
  if (kept.size === pieces.length) return text;
  const lines: Line[] = [];
  let last = -1;
  for (const [at, piece] of pieces.entries()) {
    if (!kept.has(at)) continue;
    const before = lines.at(-1);
    const skips = at > last + 1;
    if (before !== undefined && before.line === piece.line && piece.kind !== 'row') {
      before.text += `${skips ? ` ${GAP}` : ''} ${balanced(piece.text)}`;
    } else {
      if (skips && before !== undefined) endWithGap(before);
      lines.push({ ...piece, ...written(piece, pieces, kept), startsAfterGap: skips && before === undefined });
    }
    last = at;
  }
  const end = lines.at(-1);
  if (end !== undefined && last < pieces.length - 1) endWithGap(end);
  return joinLines(lines);
}

interface Line extends Piece {
  startsAfterGap: boolean;
}

/** A row without its table's head is no table, and a sentence out of a list item keeps the item's mark. */
function written(piece: Piece, pieces: readonly Piece[], kept: ReadonlySet<number>): Pick<Piece, 'text' | 'kind'> {
  if (piece.kind === 'code') return piece;
  if (piece.kind === 'row') {
    const head = headOf(piece, pieces);
    if (head !== undefined && kept.has(head) && kept.size > 1) return piece;
    return { kind: 'prose', text: cellsOf(piece.text) };
  }
  const isRest = piece.prefix === '' && piece.kind === 'item' && !ITEM.test(piece.text);
  const prefix = isRest ? '- ' : piece.prefix;
  return { kind: piece.kind, text: prefix + balanced(piece.text) };
}

/** The place of the head of a row's table; undefined without one. */
export function headOf(row: Piece, pieces: readonly Piece[]): number | undefined {
  const at = pieces.findIndex(({ block, kind, extra }) => kind === 'row' && block === row.block && extra !== '');
  return at === -1 ? undefined : at;
}

const cellsOf = (row: string) =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ');

function endWithGap(line: Line): void {
  const cells = line.text.split('|').length - 2;
  if (line.kind === 'code') line.text += `\n${GAP}`;
  else if (line.kind === 'row')
    line.text += `${line.extra === '' ? '' : `\n${line.extra}`}\n|${` ${GAP} |`.repeat(cells)}`;
  else line.text += ` ${GAP}`;
  line.extra = line.kind === 'row' ? '' : line.extra;
}

function joinLines(lines: readonly Line[]): string {
  let text = '';
  for (const [at, line] of lines.entries()) {
    const [before, after] = [lines[at - 1], lines[at + 1]];
    const isJoined = before?.block === line.block && before.kind === line.kind;
    if (before !== undefined) text += isJoined ? '\n' : '\n\n';
    if (line.kind === 'code' && !isJoined) text += `\`\`\`${line.extra}\n`;
    if (line.startsAfterGap && line.kind === 'prose') text += `${GAP} `;
    text += line.text;
    if (line.kind === 'row' && line.extra !== '') text += `\n${line.extra}`;
    if (line.kind === 'code' && (after?.block !== line.block || after.kind !== 'code')) text += '\n```';
  }
  return text;
}

/** Without marks of which the sentence holds only one of two. */
function balanced(sentence: string): string {
  if (sentence.includes('```')) return sentence;
  let text = sentence;
  for (const mark of ['**', '__', '`']) {
    if (text.split(mark).length % 2 === 0) text = text.replace(mark, '');
  }
  return text;
}
