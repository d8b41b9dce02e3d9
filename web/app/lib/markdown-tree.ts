import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

export type MarkdownTree = ReturnType<typeof fromMarkdown>;
export type MarkdownNode = MarkdownTree['children'][number];

const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** Parses Markdown with GitHub's additions. Call it only for texts whose cost is bounded: some take a time that grows with their square. */
export const parseMarkdown = (markdown: string): MarkdownTree => fromMarkdown(markdown, options);
