import type { Nodes, Parent, PhrasingContent } from 'mdast';
import { type Extension as FromMarkdown, fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough';
import { gfm } from 'micromark-extension-gfm';
import { addresses, addressesFromMarkdown } from './addresses.ts';
import { formulas, formulasFromMarkdown } from './formulas.ts';

export type MarkdownTree = ReturnType<typeof fromMarkdown>;
export type MarkdownNode = MarkdownTree['children'][number];

/** What stands between two tags that Markdown has no marks for. */
interface Tagged extends Parent {
  type: 'tagged';
  tag: 'sub' | 'sup' | 'kbd';
  children: PhrasingContent[];
}

declare module 'mdast' {
  interface RootContentMap {
    tagged: Tagged;
  }
  interface PhrasingContentMap {
    tagged: Tagged;
  }
}

/** Without attributes: these tags carry nothing but their name. */
const TAG = /^<(?<end>\/?)(?<name>br|sub|sup|kbd)[ \t]*(?<alone>\/?)>$/iu;

/** Makes line breaks and `Tagged` of these tags. Other HTML, and tags without their counterpart beside them, stay text. */
const tagsFromMarkdown: FromMarkdown = { transforms: [tagIn] };

function tagIn(node: Nodes): void {
  if (!('children' in node)) return;
  for (const child of node.children) tagIn(child);
  // HTML begins no blocks, so it stands only where texts do.
  if (node.children.some(({ type }) => type === 'html')) node.children = tagged(node.children as PhrasingContent[]);
}

function tagged(children: readonly PhrasingContent[]): PhrasingContent[] {
  const done: PhrasingContent[] = [];
  const open: { tag: string; at: number }[] = [];
  for (const child of children) {
    const { end, name, alone } = (child.type === 'html' && TAG.exec(child.value)?.groups) || {};
    const tag = name?.toLowerCase();
    if (tag === 'br') done.push({ type: 'break' });
    else if (tag !== undefined && end !== '' && alone === '') close(tag as Tagged['tag'], child);
    else {
      if (tag !== undefined && alone === '') open.push({ tag, at: done.length });
      done.push(child);
    }
  }
  return done;

  function close(tag: Tagged['tag'], child: PhrasingContent): void {
    const last = open.findLastIndex((one) => one.tag === tag);
    const begin = open[last];
    if (begin === undefined) {
      done.push(child);
      return;
    }
    open.length = last;
    const [, ...inside] = done.splice(begin.at);
    done.push({ type: 'tagged', tag, children: inside });
  }
}

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
