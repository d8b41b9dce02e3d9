import { posix } from 'node:path';
import { Parser } from 'saxen';
import { type Document, type Section, TEXT_MAX } from '../passages.ts';
import { type Merged, type Table, tableSections } from '../tables.ts';
import { builtInFormat, cellText, unsolved } from './cell-text.ts';
import { checkArchive } from './read-office.ts';
import { DAMAGED, partsOf } from './unzip.ts';

const ROWS_MAX = 1_048_576;
const COLUMNS_MAX = 16_384;

/** What the cells of a workbook refer to. */
interface Book {
  strings: string[];
  /** Number formats by style. */
  formats: string[];
  since1904: boolean;
}

/** An Excel workbook: each sheet in ranges of rows, with its numbers, dates and results of formulas as Excel shows them. */
export async function readSheet(data: Uint8Array): Promise<Document> {
  await checkArchive(data, /^xl\/workbook\.xml$/, 'an Excel workbook');
  const part = async (name: string) => (await partsOf(data, (path) => path === name))[0]?.text;
  const { sheets, since1904, strings, styles } = bookOf(
    (await part('xl/workbook.xml')) ?? '',
    (await part('xl/_rels/workbook.xml.rels')) ?? '',
  );
  const book: Book = {
    since1904,
    strings: stringsOf((await part(strings)) ?? ''),
    formats: formatsOf((await part(styles)) ?? ''),
  };
  const tables: (Table & { uncalculated: number })[] = [];
  for (const { name, path } of sheets) {
    const xml = await part(path);
    if (xml !== undefined)
      tables.push({ ...tableOf(xml, book), headed: false, prefix: `sheet “${name.slice(0, 80)}”, ` });
  }
  if (tables.length === 0) throw DAMAGED;
  const comments = (await partsOf(data, (name) => /^xl\/(?:comments\/)?comments?\d*\.xml$/.test(name))).flatMap(
    ({ text }) => commentsIn(text),
  );
  const uncalculated = tables.reduce((sum, table) => sum + table.uncalculated, 0);
  return {
    sections: function* (): Iterable<Section> {
      for (const table of tables) yield* tableSections(table);
      if (comments.length > 0) yield { place: 'comments', text: comments.join('\n') };
    },
    notes:
      uncalculated === 0
        ? []
        : [
            `${uncalculated === 1 ? 'A formula has' : 'Some formulas have'} no stored result. Open the workbook in a spreadsheet program, save it there and upload it again.`,
          ],
  };
}

interface Listener {
  open?: (name: string, attribute: (name: string) => string) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/** Walks through a part by local names: programs choose their own prefixes, and leave out parts. */
function walk(xml: string, { open, text, close }: Listener): void {
  if (xml === '') return;
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  new Parser()
    .on('openTag', (name, attributes, decode) => open?.(local(name), (key) => decode(attributes()[key] ?? '')))
    .on('text', (value, decode) => text?.(decode(value)))
    .on('cdata', (value) => text?.(value))
    .on('closeTag', (name) => close?.(local(name)))
    .on('error', () => {
      throw DAMAGED;
    })
    .parse(xml);
}

/** The sheets of a workbook in order, and where its other parts lie. */
function bookOf(workbook: string, relations: string) {
  const paths = new Map<string, string>();
  let [strings, styles] = ['xl/sharedStrings.xml', 'xl/styles.xml'];
  walk(relations, {
    open(name, attribute) {
      if (name !== 'Relationship') return;
      const path = posix.resolve('/xl', attribute('Target').replaceAll('\\', '/')).slice(1);
      paths.set(attribute('Id'), path);
      if (attribute('Type').endsWith('/sharedStrings')) strings = path;
      if (attribute('Type').endsWith('/styles')) styles = path;
    },
  });
  const sheets: { name: string; path: string }[] = [];
  let since1904 = false;
  walk(workbook, {
    open(name, attribute) {
      if (name === 'workbookPr') since1904 = /^(?:1|true|on)$/.test(attribute('date1904'));
      if (name !== 'sheet') return;
      const path = paths.get(attribute('r:id') || attribute('id')) ?? `xl/worksheets/sheet${sheets.length + 1}.xml`;
      sheets.push({ name: attribute('name'), path });
    },
  });
  return { sheets, since1904, strings, styles };
}

/** The texts that cells share, without how they are pronounced. */
function stringsOf(xml: string): string[] {
  const strings: string[] = [];
  let [text, isText, isSpoken] = ['', false, false];
  walk(xml, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') isSpoken = true;
      isText = name === 't' && !isSpoken;
    },
    text: (piece) => void (text += isText ? piece : ''),
    close(name) {
      isText = false;
      if (name === 'rPh') isSpoken = false;
      if (name === 'si') strings.push(unescaped(text));
    },
  });
  return strings;
}

/** Control characters are written as `_x000D_`. */
const unescaped = (text: string) =>
  text.includes('_x')
    ? text.replaceAll(/_x(?<hex>[\da-fA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

/** The number format of each style of cells. */
function formatsOf(xml: string): string[] {
  const own = new Map<number, string>();
  const ids: number[] = [];
  let inside = '';
  walk(xml, {
    open(name, attribute) {
      if (name === 'numFmts' || name === 'cellXfs' || name === 'dxfs') inside = name;
      if (name === 'numFmt' && inside === 'numFmts') own.set(Number(attribute('numFmtId')), attribute('formatCode'));
      if (name === 'xf' && inside === 'cellXfs') ids.push(Number(attribute('numFmtId')));
    },
    close: (name) => void (inside = name === inside ? '' : inside),
  });
  return ids.map((id) => own.get(id) ?? builtInFormat(id));
}

interface Cell {
  row: number;
  col: number;
  type: string;
  style: number;
  /** Undefined without a formula, empty for one that another cell tells. */
  formula?: string;
  value?: string;
  text: string;
}

function tableOf(xml: string, book: Book): { rows: string[][]; merged: Merged[]; uncalculated: number } {
  const rows: string[][] = [];
  const merged: Merged[] = [];
  let [uncalculated, characters] = [0, 0];
  let cell: Cell | undefined;
  let [row, col, into, isSpoken] = [-1, -1, '', false];
  const keep = (done: Cell) => {
    const text = shown(done, book);
    if (done.formula !== undefined && text.startsWith(unsolved(''))) uncalculated += 1;
    characters += text.length;
    // More would be cut off anyway.
    if (text === '' || characters > 2 * TEXT_MAX || done.row >= ROWS_MAX || done.col >= COLUMNS_MAX) return;
    while (rows.length <= done.row) rows.push([]);
    // It may stand far to the right.
    (rows[done.row] ?? [])[done.col] = text;
  };
  walk(xml, {
    open(name, attribute) {
      into = name;
      // Without a reference, a row or cell follows the one before.
      if (name === 'row') [row, col] = [placeOf(`A${attribute('r')}`)?.row ?? row + 1, -1];
      if (name === 'c') {
        const at = placeOf(attribute('r'));
        [row, col] = [at?.row ?? Math.max(row, 0), at?.col ?? col + 1];
        cell = { row, col, type: attribute('t'), style: Number(attribute('s')), text: '' };
      }
      if (name === 'rPh') isSpoken = true;
      if (name === 'f' && cell !== undefined) cell.formula = '';
      if (name === 'v' && cell !== undefined) cell.value = '';
      if (name === 'mergeCell') merged.push(...mergedIn(attribute('ref')));
    },
    text(piece) {
      if (cell === undefined) return;
      if (into === 'v') cell.value += piece;
      if (into === 'f') cell.formula += piece;
      if (into === 't' && !isSpoken) cell.text += piece;
    },
    close(name) {
      into = '';
      if (name === 'rPh') isSpoken = false;
      if (name === 'c' && cell !== undefined) keep(cell);
      if (name === 'c') cell = undefined;
    },
  });
  return { rows, merged, uncalculated };
}

/** `B3` as a row and a column, counted from 0. */
function placeOf(reference: string): { row: number; col: number } | undefined {
  const { letters = '', digits = '' } = /^(?<letters>[A-Z]{1,3})(?<digits>[1-9]\d{0,6})$/.exec(reference)?.groups ?? {};
  if (letters === '') return undefined;
  const col = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  return { row: Number(digits) - 1, col: col - 1 };
}

function mergedIn(reference: string): Merged[] {
  const [from, to] = reference.split(':').map(placeOf);
  if (from === undefined || to === undefined) return [];
  return [{ ...from, down: to.row - from.row + 1, across: to.col - from.col + 1 }];
}

/** What a cell shows. */
function shown({ type, style, formula, value, text }: Cell, { strings, formats, since1904 }: Book): string {
  const pattern = formats[style] ?? 'General';
  const words = (content: string) => (pattern === 'General' ? content : cellText(content, pattern));
  if (type === 's') return words(strings[Number(value)] ?? '');
  if (type === 'inlineStr') return words(unescaped(text));
  if (type === 'str') return words(unescaped(value ?? ''));
  if (value === undefined || value.trim() === '') return formula === undefined ? '' : unsolved(formula);
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
  const number = Number(value);
  // An error, or a date as ISO 8601 writes it.
  if (type === 'e' || type === 'd' || Number.isNaN(number)) return value.replace(/T00:00:00(?:\.0{1,9})?Z?$/, '');
  return cellText(number, pattern, { since1904 });
}

/** `B2: Without scaffolding`: the cell and what people noted on it. */
function commentsIn(xml: string): string[] {
  const comments: { cell: string; text: string }[] = [];
  let isText = false;
  walk(xml, {
    open(name, attribute) {
      if (name === 'comment') comments.push({ cell: attribute('ref'), text: '' });
      isText = name === 't';
    },
    text(piece) {
      const comment = comments.at(-1);
      if (isText && comment !== undefined) comment.text += piece;
    },
    close: () => void (isText = false),
  });
  return comments.map(({ cell, text }) => `${cell}: ${text.split(/\s+/).join(' ').trim()}`);
}
