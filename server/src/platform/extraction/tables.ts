import type { Section } from './passages.ts';

/** A merged cell: where it begins, and how many rows and columns it covers. */
export interface Merged {
  row: number;
  col: number;
  down: number;
  across: number;
}

/** A table of a document: its rows from top to bottom, each with its cells. */
export interface Table {
  rows: string[][];
  merged?: Merged[];
  /** Whether the document marks the first row as its heading; undefined when the format can't say. */
  headed?: boolean;
  /** How the table's place begins: `sheet “Prices”, `. */
  prefix?: string;
}

/** How much of a column's name is shown with each of its values. */
const NAME_MAX = 80;
/** A heading stands among the first rows, below a title at most. */
const HEADING_WITHIN = 10;
/** How many rows may name the columns together. */
const HEADINGS_MAX = 4;
const ROWS_A_SECTION = 10;
/** A larger table names its columns once for many rows, or its text would be many times as long. */
const COMPACT_FROM = 1_000_000;
/** How much of such a table shares one naming of its columns, in characters: less than a passage. */
const COMPACT_SECTION = 750;
/** How many cells merged ones are carried to at most, and looked at for that. */
const CARRIED_MAX = 1_000_000;

/** A table inside running text: a line for each row. */
export function tableText(table: Table): string {
  const repeats = carry(table);
  return [...linesOf(table, headingOf(table), repeats)].map(({ text }) => text).join('\n\n');
}

/** A table that is a document of its own, in ranges of rows as the file counts them. */
export function* tableSections(table: Table): Iterable<Section> {
  const repeats = carry(table);
  const heading = headingOf(table);
  const compact = table.rows.reduce((sum, row) => sum + lengthOf(row), 0) > COMPACT_FROM;
  const names = compact ? (heading?.names.join('; ') ?? '') : '';
  let pending: { from: number; to: number; texts: string[]; length: number } | undefined;
  const section = ({ from, to, texts }: NonNullable<typeof pending>): Section => ({
    place: `${table.prefix ?? ''}${from === to ? `row ${from}` : `rows ${from}–${to}`}`,
    text: names === '' ? texts.join('\n\n') : `${names}\n${texts.join('\n')}`,
  });
  for (const { row, text } of compact ? bareLines(table, heading) : linesOf(table, heading, repeats)) {
    const full = compact
      ? pending !== undefined && pending.length + text.length + names.length > COMPACT_SECTION
      : pending?.texts.length === ROWS_A_SECTION;
    if (pending !== undefined && full) {
      yield section(pending);
      pending = undefined;
    }
    pending ??= { from: row, to: row, texts: [], length: 0 };
    pending.to = row;
    pending.texts.push(text);
    pending.length += text.length;
  }
  if (pending !== undefined) yield section(pending);
}

/**
 * Carries the text of merged cells to all that they cover, but not to rows where nothing else stands: a title is one cell. Returns the
 * columns of each row that repeat the one before.
 */
function carry({ rows, merged = [] }: Table): Repeats {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const repeats = new Map<string[], Set<number>>();
  let budget = CARRIED_MAX;
  for (const { row, col, down, across } of merged) {
    const text = rows[row]?.[col] ?? '';
    const end = Math.min(col + across, width);
    for (const cells of text === '' ? [] : rows.slice(row, Math.min(row + down, row + budget))) {
      budget -= cells.length + end - col;
      if (budget < 0) return repeats;
      if (!cells.some((cell, at) => (at < col || at >= end) && cell !== '')) continue;
      while (cells.length < end) cells.push('');
      cells.fill(text, col, end);
      const repeated = repeats.get(cells) ?? new Set();
      for (let at = col + 1; at < end; at += 1) repeated.add(at);
      repeats.set(cells, repeated);
    }
  }
  return repeats;
}

type Lines = Iterable<{ row: number; text: string }>;
type Repeats = ReadonlyMap<string[], ReadonlySet<number>>;

const lengthOf = (row: string[]) => row.reduce((sum, cell) => sum + cell.length + 2, 0);

/** Each row as one sentence that can be understood alone: `Service: Roof repair; Price: 480`. */
function* linesOf({ rows, headed }: Table, heading: Heading | undefined, repeats: Repeats): Lines {
  for (const [at, row] of rows.entries()) {
    let text = plain(repeats.has(row) ? row.filter((_, col) => repeats.get(row)?.has(col) !== true) : row);
    if (heading !== undefined && at >= heading.from) {
      if (at >= heading.to) text = named(row, heading.names);
      // The names stand in every row below.
      else if (headed !== undefined || at > heading.from) text = '';
      else if (heading.to - heading.from > 1) text = plain(heading.names);
    }
    if (text !== '') yield { row: at + 1, text };
  }
}

function* bareLines({ rows }: Table, heading: Heading | undefined): Lines {
  for (const [at, row] of rows.entries()) {
    if (heading !== undefined && at >= heading.from && at < heading.to) continue;
    const text = plain(row, true);
    if (text.replaceAll('; ', '') !== '') yield { row: at + 1, text };
  }
}

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

/** The rows that name the columns, and the names. */
interface Heading {
  from: number;
  to: number;
  names: string[];
}

/** The row that names the columns: the marked one, or the first with several texts and no number, above other rows. */
function headingOf(table: Table): Heading | undefined {
  const { rows, headed } = table;
  const from = headed === true ? 0 : likelyHeading(table);
  if (from === undefined) return undefined;
  let to = from + 1;
  while (to < from + HEADINGS_MAX && namesParts(table, from, to)) to += 1;
  if (!rows.some((row, at) => at >= to && filledOf(row).length > 0)) return undefined;
  const width = Math.max(...rows.slice(from, to).map((row) => row.length));
  const names = Array.from({ length: width }, (_, col) => {
    const parts = rows.slice(from, to).map((row) => oneLine(row[col] ?? '').slice(0, NAME_MAX));
    return [...new Set(parts)].join(' ').trim();
  });
  return { from, to, names };
}

function likelyHeading({ rows, headed }: Table): number | undefined {
  const widest = rows.slice(0, HEADING_WITHIN * 2).reduce((most, row) => Math.max(most, filledOf(row).length), 0);
  if (widest < 2) return undefined;
  const at = rows.slice(0, HEADING_WITHIN).findIndex((row) => filledOf(row).length >= Math.min(widest, 2));
  // Two columns without a marked heading: as often a name and its value, which read well without one.
  return isNames(rows[at] ?? []) && (widest > 2 || headed !== undefined) ? at : undefined;
}

const isNames = (row: string[]) => filledOf(row).every((cell) => !/^[\s\d.,:%€$£+-]+$/.test(cell.slice(0, 100)));

/** Whether a row below a heading names the parts of its columns: whatever is its own stands below cells that span several. */
function namesParts({ rows, merged = [] }: Table, from: number, at: number): boolean {
  const row = rows[at] ?? [];
  const above = merged.filter((cell) => cell.row >= from && cell.row < at);
  const covers = (cell: Merged, col: number) => col >= cell.col && col < cell.col + cell.across;
  const own = [...row.keys()].filter(
    (col) => row[col] && !above.some((cell) => cell.row + cell.down > at && covers(cell, col)),
  );
  const wide = above.filter(({ across }) => across > 1);
  return own.length > 0 && isNames(row) && own.every((col) => wide.some((cell) => covers(cell, col)));
}

const filledOf = (row: string[]) => row.filter((cell) => cell.trim() !== '');
