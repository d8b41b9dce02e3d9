import { parseMarkdown } from './tree.ts';

/** The parts of a Markdown node that are read here. */
interface Node {
  type: string;
  value?: string;
  alt?: string | null;
  children?: Node[];
}

/** Parsing time and depth grow with the square of possible marks; texts for people have fewer. */
const MARKS_MAX = 400;
const LENGTH_MAX = 200_000;

/**
 * The words of a Markdown text without its marks: one line per paragraph, heading, list item and table row. A text with only marks, or very
 * many, or a very long one, is returned unchanged.
 */
export function plainWords(markdown: string): string {
  if (markdown.length > LENGTH_MAX || (markdown.match(/[-*_~[<>|!]/gu)?.length ?? 0) > MARKS_MAX) return markdown;
  const lines = linesOf(parseMarkdown(markdown)).filter((line) => line.trim() !== '');
  return lines.length === 0 ? markdown : lines.join('\n');
}

const CONTAINERS = new Set(['root', 'blockquote', 'list', 'listItem', 'footnoteDefinition', 'table']);

function linesOf(node: Node): string[] {
  if (node.type === 'tableRow') return [(node.children ?? []).map(wordsOf).join(' · ').replaceAll('\n', ' ')];
  return CONTAINERS.has(node.type) ? (node.children ?? []).flatMap(linesOf) : [wordsOf(node)];
}

function wordsOf(node: Node): string {
  if (node.type === 'break') return '\n';
  // A tag inside a line is a mark; the text between two tags has its own node.
  if (node.type === 'html') return '';
  return node.value ?? node.alt ?? (node.children ?? []).map(wordsOf).join('');
}
