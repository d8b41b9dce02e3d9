import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** As much of a node of a parsed text as is read here. */
interface Node {
  type: string;
  value?: string;
  alt?: string | null;
  children?: Node[];
}

/** The parser's time and depth grow with the square of what may be a mark; no text that people read has so many. */
const MARKS_MAX = 400;

/**
 * The words of a Markdown text without its marks: a line for each paragraph, heading, entry of a list and row of a table. What holds
 * nothing but marks, or very many, is given back as it is.
 */
export function plainWords(markdown: string): string {
  if ((markdown.match(/[-*_~[<>|!]/gu)?.length ?? 0) > MARKS_MAX) return markdown;
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const lines = linesOf(tree).filter((line) => line.trim() !== '');
  return lines.length === 0 ? markdown : lines.join('\n');
}

const CONTAINERS = new Set(['root', 'blockquote', 'list', 'listItem', 'footnoteDefinition', 'table']);

function linesOf(node: Node): string[] {
  if (node.type === 'tableRow') return [(node.children ?? []).map(wordsOf).join(' · ')];
  return CONTAINERS.has(node.type) ? (node.children ?? []).flatMap(linesOf) : [wordsOf(node)];
}

function wordsOf(node: Node): string {
  if (node.type === 'break') return '\n';
  // A tag within a line is a mark; what was written between two of them has a node of its own.
  if (node.type === 'html') return '';
  return node.value ?? node.alt ?? (node.children ?? []).map(wordsOf).join('');
}
