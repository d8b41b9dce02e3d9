import type { Table } from './tables.ts';

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
]);

const SPAN_MAX = 50;
const CELLS_MAX = 500_000;

/** A table of data; undefined for one that only lays out a page: with another inside of it, a single column or a single row. */
export function dataTable(table: Node): Table | undefined {
  const rows: string[][] = [];
  let headed = false;
  let cells = 0;
  /** Cells that reach down into the next rows, by column. */
  const reaching = new Map<number, { text: string; rows: number }>();
  const found = rowsIn(table);
  if (found === undefined) return undefined;
  for (const row of found) {
    const values: string[] = [];
    const own = [...row.childNodes].filter((node) => isCell(node));
    const fill = () => {
      for (let above = reaching.get(values.length); above !== undefined; above = reaching.get(values.length)) {
        if (above.rows === 1) reaching.delete(values.length);
        else above.rows -= 1;
        values.push(above.text);
      }
    };
    for (const cell of own) {
      fill();
      const text = cellText(cell);
      const [down, across] = [spanOf(cell, 'rowspan'), spanOf(cell, 'colspan')];
      if (down > 1) reaching.set(values.length, { text, rows: down - 1 });
      values.push(text, ...Array.from({ length: across - 1 }, () => ''));
    }
    fill();
    if (rows.length === 0) headed = own.length > 0 && own.every((cell) => nameOf(cell) === 'TH');
    cells += values.length;
    if (cells > CELLS_MAX) return undefined;
    rows.push(values);
  }
  const wide = rows.filter((row) => row.filter((cell) => cell !== '').length > 1).length;
  return rows.length > 1 && wide > 1 ? { rows, ...(headed ? { headed } : {}) } : undefined;
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

function spanOf(cell: Node, name: string): number {
  const span = Number(cell.getAttribute?.(name) ?? 1);
  return Number.isInteger(span) && span > 1 ? Math.min(span, SPAN_MAX) : 1;
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
