import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough';
import { gfm } from 'micromark-extension-gfm';
import { addresses, addressesFromMarkdown } from './addresses.ts';
import { formulas, formulasFromMarkdown } from './formulas.ts';
import { tagsFromMarkdown } from './tags.ts';

export type MarkdownTree = ReturnType<typeof fromMarkdown>;
export type MarkdownNode = MarkdownTree['children'][number];

/** HTML is text, so it begins no blocks. */
const noHtml = { disable: { null: ['htmlFlow'] } };
const optionsFor = (live: boolean) => ({
  extensions: [gfm(), cjkFriendlyExtension(), gfmStrikethroughCjkFriendly(), addresses, noHtml, formulas(live)],
  mdastExtensions: [addressesFromMarkdown, gfmFromMarkdown(), formulasFromMarkdown, tagsFromMarkdown],
});
const [whole, growing] = [optionsFor(false), optionsFor(true)];

/** The end of a growing text that its next letters may change: a tag, what follows one that is open, and half of a mark for bold text. */
const UNSETTLED = /(?:<(?:sub|sup|kbd)>[^<>\n]{0,24})?(?:<\/?[a-z]{0,3} ?\/?|(?<![*_])[*_])?$/iu;

/**
 * Parses Markdown with GitHub's additions and formulas; `live` while the text still grows. Call it only for texts whose cost is bounded:
 * some take a time that grows with their square.
 */
export const parseMarkdown = (markdown: string, live = false): MarkdownTree =>
  live ? fromMarkdown(markdown.replace(UNSETTLED, ''), growing) : fromMarkdown(markdown, whole);
