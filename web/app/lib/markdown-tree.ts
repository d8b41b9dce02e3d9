import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { formulas, formulasFromMarkdown } from './markdown-formulas.ts';

export type MarkdownTree = ReturnType<typeof fromMarkdown>;
export type MarkdownNode = MarkdownTree['children'][number];

const optionsFor = (live: boolean) => ({
  extensions: [gfm(), formulas(live)],
  mdastExtensions: [gfmFromMarkdown(), formulasFromMarkdown],
});
const [whole, growing] = [optionsFor(false), optionsFor(true)];

/**
 * Parses Markdown with GitHub's additions and formulas; `live` while the text still grows. Call it only for texts whose cost is bounded:
 * some take a time that grows with their square.
 */
export const parseMarkdown = (markdown: string, live = false): MarkdownTree =>
  fromMarkdown(markdown, live ? growing : whole);
