import type { Merged, Table } from './tables.ts';

/** What reading HTML needs of linkedom's nodes; the real types belong to a browser. */
export interface Node {
  nodeType: number;
  nodeName: string;
  textContent: string | null;
  childNodes: Iterable<Node>;
  getAttribute?(name: string): string | null;
}

/** Elements whose text nobody sees. */
export const SILENT = new Set([
  'SCRIPT',
  'STYLE',
  'NOSCRIPT',
  'TEMPLATE',
  'SVG',
  'IFRAME',
  'OBJECT',
  'TITLE',
  'SELECT',
  'RP',
]);

/** As far as browsers go. */
const SPAN_MAX = { rowspan: 65_534, colspan: 1_000 };
const CELLS_MAX = 500_000;

/** A table of data; undefined for one that only lays out a page: with another inside of it, a single column or a single row. */
export function dataTable(table: Node): Table | undefined {
  const rows: string[][] = [];
  const merged: Merged[] = [];
  let headed = false;
  let cells = 0;
  /** The row below the cells that reach down, by column. */
  const below = new Map<number, number>();
  const tableRows = rowsIn(table);
  if (tableRows === undefined) return undefined;
  for (const [at, row] of tableRows.entries()) {
    const values: string[] = [];
    const own = [...row.childNodes].filter((node) => isCell(node));
    let col = 0;
    for (const cell of own) {
      for (; (below.get(col) ?? 0) > at; col += 1) cells += 1;
      const [down, across] = [spanOf(cell, 'rowspan'), spanOf(cell, 'colspan')];
      values[col] = cellText(cell);
      if (down > 1 || across > 1) merged.push({ row: at, col, down, across });
      if (down > 1) for (let i = 0; i < across; i += 1) below.set(col + i, at + down);
      col += across;
      cells += across;
      if (cells > CELLS_MAX) return undefined;
    }
    if (at === 0) headed = own.length > 0 && own.every((cell) => nameOf(cell) === 'TH');
    rows.push(Array.from(values, (value) => value ?? ''));
  }
  const wide = rows.filter((row) => row.filter((cell) => cell !== '').length > 1).length;
  return rows.length > 1 && wide > 1 ? { rows, merged, ...(headed ? { headed } : {}) } : undefined;
}

/** The rows of a table; undefined when another table is inside of it. */
function rowsIn(table: Node): Node[] | undefined {
  const rows: Node[] = [];
  const stack = [...table.childNodes].toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.nodeType !== 1) continue;
    const name = nameOf(node);
    if (name === 'TABLE') return undefined;
    if (name === 'TR') rows.push(node);
    for (const child of [...node.childNodes].toReversed()) stack.push(child);
  }
  return rows;
}

const nameOf = (node: Node) => node.nodeName.toUpperCase();
const isCell = (node: Node) => node.nodeType === 1 && (nameOf(node) === 'TD' || nameOf(node) === 'TH');

function spanOf(cell: Node, name: keyof typeof SPAN_MAX): number {
  // Browsers read the digits that it begins with; 0 rows are all that follow.
  const span = Number.parseInt(cell.getAttribute?.(name) ?? '1', 10);
  if (span === 0 && name === 'rowspan') return SPAN_MAX[name];
  return span > 1 ? Math.min(span, SPAN_MAX[name]) : 1;
}

function cellText(cell: Node): string {
  let text = '';
  const stack = [...cell.childNodes].toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.nodeType === 3) text += node.textContent ?? '';
    if (node.nodeType !== 1 || SILENT.has(nameOf(node))) continue;
    // Lines and paragraphs of a cell don't run into each other.
    text += ' ';
    for (const child of [...node.childNodes].toReversed()) stack.push(child);
  }
  return text.split(/\s+/).join(' ').trim();
}
