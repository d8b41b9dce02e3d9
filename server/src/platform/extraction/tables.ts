import type { Section } from './passages.ts';

/** A table of a document: its rows from top to bottom, each with its cells. */
export interface Table {
  rows: string[][];
  /** Whether the document marks the first row as its heading; undefined when the format can't say. */
  headed?: boolean;
  /** How the table's place begins: `sheet “Prices”, `. */
  prefix?: string;
}

/** How much of a column's name is shown with each of its values. */
const NAME_MAX = 80;
/** A heading stands among the first rows, below a title at most. */
const HEADING_WITHIN = 10;
const ROWS_A_SECTION = 10;
/** A larger table names its columns once for many rows, or its text would be many times as long. */
const COMPACT_FROM = 1_000_000;
/** How much of such a table shares one naming of its columns, in characters: less than a passage. */
const COMPACT_SECTION = 750;

/** A table inside running text: a line for each row. */
export const tableText = (table: Table): string => [...linesOf(table)].map(({ text }) => text).join('\n\n');

/** A table that is a document of its own, in ranges of rows as the file counts them. */
export function* tableSections(table: Table): Iterable<Section> {
  const heading = headingOf(table);
  const compact = table.rows.reduce((sum, row) => sum + lengthOf(row), 0) > COMPACT_FROM;
  const names = compact && heading !== undefined ? namesOf(table.rows[heading] ?? []).join('; ') : '';
  let held: { from: number; to: number; texts: string[]; length: number } | undefined;
  const section = ({ from, to, texts }: NonNullable<typeof held>): Section => ({
    place: `${table.prefix ?? ''}${from === to ? `row ${from}` : `rows ${from}–${to}`}`,
    text: names === '' ? texts.join('\n\n') : `${names}\n${texts.join('\n')}`,
  });
  for (const { row, text } of compact ? bareLines(table, heading) : linesOf(table)) {
    const full = compact
      ? held !== undefined && held.length + text.length + names.length > COMPACT_SECTION
      : held?.texts.length === ROWS_A_SECTION;
    if (held !== undefined && full) {
      yield section(held);
      held = undefined;
    }
    held ??= { from: row, to: row, texts: [], length: 0 };
    held.to = row;
    held.texts.push(text);
    held.length += text.length;
  }
  if (held !== undefined) yield section(held);
}

const lengthOf = (row: string[]) => row.reduce((sum, cell) => sum + cell.length + 2, 0);

/** Each row as one sentence that can be understood alone: `Service: Roof repair; Price: 480`. */
function* linesOf(table: Table): Iterable<{ row: number; text: string }> {
  const heading = headingOf(table);
  const names = heading === undefined ? [] : namesOf(table.rows[heading] ?? []);
  const last = table.rows.length - 1;
  for (const [at, row] of table.rows.entries()) {
    // The names stand in every row below, unless there is none.
    if (at === heading && heading < last && table.headed !== undefined) continue;
    const below = heading !== undefined && at > heading;
    const text = below ? named(row, names) : plain(row);
    if (text !== '') yield { row: at + 1, text };
  }
}

function* bareLines({ rows }: Table, heading: number | undefined): Iterable<{ row: number; text: string }> {
  for (const [at, row] of rows.entries()) {
    const text = plain(row, true);
    if (at !== heading && text.replaceAll('; ', '') !== '') yield { row: at + 1, text };
  }
}

const namesOf = (row: string[]) => row.map((cell) => oneLine(cell).slice(0, NAME_MAX));

/** `Roof repair: 480` for two cells, `a; b; c` for others. */
function plain(row: string[], withEmpty = false): string {
  const cells = row.map(oneLine);
  const filled = withEmpty ? cells : cells.filter((cell) => cell !== '');
  return filled.join(!withEmpty && filled.length === 2 ? ': ' : '; ');
}

const named = (row: string[], names: string[]): string =>
  row
    .map(oneLine)
    .flatMap((cell, at) => (cell === '' ? [] : [names[at] ? `${names[at]}: ${cell}` : cell]))
    .join('; ');

const oneLine = (cell: string) =>
  (/[\n\r\t]/.test(cell)
    ? cell
        .split(/[\n\r\t]/)
        .map((line) => line.trim())
        .join(' ')
    : cell
  ).trim();

/** The row that names the columns: the marked one, or the first with several texts and no number, above other rows. */
function headingOf({ rows, headed }: Table): number | undefined {
  if (headed === true) return rows.length > 0 ? 0 : undefined;
  const widest = rows.slice(0, HEADING_WITHIN * 2).reduce((most, row) => Math.max(most, filledOf(row).length), 0);
  if (widest < 2) return undefined;
  const at = rows.slice(0, HEADING_WITHIN).findIndex((row) => filledOf(row).length >= Math.min(widest, 2));
  const cells = filledOf(rows[at] ?? []);
  const names = cells.every((cell) => !/^[\s\d.,:%€$£+-]+$/.test(cell.slice(0, 100)));
  // Two columns without a marked heading: as often a name and its value, which read well without one.
  return names && at < rows.length - 1 && (widest > 2 || headed !== undefined) ? at : undefined;
}

const filledOf = (row: string[]) => row.filter((cell) => cell.trim() !== '');
