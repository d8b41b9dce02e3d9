import type { MarkdownNode } from '../../../lib/markdown/tree.ts';

type Table = Extract<MarkdownNode, { type: 'table' }>;

function wordsOf(node: MarkdownNode): string {
  if (node.type === 'break') return '\n';
  if (node.type === 'formula') return node.source;
  if ('value' in node) return node.value;
  if ('alt' in node) return node.alt ?? '';
  return 'children' in node ? node.children.map(wordsOf).join('') : '';
}

/** A cell that a spreadsheet would take for a calculation, which could send the sheet away. */
const isCalculation = (text: string) => /^[=+\-@\t\r]/.test(text) && !/^[+-]?[\d.,]+%?$/.test(text);

function cellOf(text: string): string {
  const safe = isCalculation(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as comma-separated values, whose cells no spreadsheet calculates. */
export const csvOf = (table: Table): string =>
  table.children.map((row) => row.children.map((cell) => cellOf(wordsOf(cell))).join(',')).join('\r\n');
