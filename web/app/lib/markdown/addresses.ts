import { ADDRESS_END } from '@atelier/contract/names/addresses';
import type { Link, Nodes, PhrasingContent } from 'mdast';
import type { Extension as FromMarkdown } from 'mdast-util-from-markdown';
import type { Construct, Extension, State } from 'micromark-util-types';

/** Where addresses begin; GitHub's rule asks for a space before `www.`, which not every script has. */
const BEGINNINGS = /(?<![a-z\d])https?:\/\/(?=[^\s\p{P}\p{S}]|\[)|(?<![\w.@/-])www\.(?=[^\s\p{P}\p{S}])/giu;
const BEGINNING_MAX = 'https://a'.length;
/** How far ahead the parser looks; links are made of the whole text later. */
const AHEAD = 2_000;
/** A sentence's own at the end of an address. */
const TRAIL = new Set(`?!.,:;*_~'"`);

/** How many characters of a text belong to the address that it begins with: brackets close inside it, and nothing after it is bold. */
function addressLength(text: string): number {
  const open = { '(': 0, '[': 0 };
  let end = 0;
  for (; end < text.length; end += 1) {
    const sign = text.charAt(end);
    if (/[\s<]/u.test(sign) || ADDRESS_END.test(sign) || text.startsWith('**', end)) break;
    if (sign === '(' || sign === '[') open[sign] += 1;
    const opening = sign === ')' ? '(' : sign === ']' ? '[' : undefined;
    if (opening !== undefined && (open[opening] -= 1) < 0) break;
  }
  while (TRAIL.has(text.charAt(end - 1))) end -= 1;
  return end;
}

/** Keeps an address together, so that its characters mark nothing. */
const address: Construct = {
  name: 'address',
  tokenize(effects, ok, nok) {
    const start = this.now();
    const ahead = (length: number) =>
      this.sliceSerialize({ start, end: { ...start, _bufferIndex: start._bufferIndex + length } });
    const isBeginning = ahead(BEGINNING_MAX).search(BEGINNINGS) === 0;
    let rest = isBeginning ? addressLength(ahead(AHEAD)) : 0;
    const inside: State = (code) => {
      if (rest === 0) {
        effects.exit('data');
        return ok(code);
      }
      rest -= 1;
      effects.consume(code);
      return inside;
    };
    return (code) => {
      if (rest === 0) return nok(code);
      effects.enter('data');
      return inside(code);
    };
  },
};

const LETTERS = Array.from('HhWw', (letter) => letter.charCodeAt(0));

/** Addresses without brackets around them. They end at the punctuation of any script and may follow a letter of one without spaces. */
export const addresses: Extension = {
  text: Object.fromEntries(LETTERS.map((code) => [code, address])),
  disable: { null: ['protocolAutolink', 'wwwAutolink'] },
};

/** Makes links of them. */
export const addressesFromMarkdown: FromMarkdown = { transforms: [linkIn] };

function linkIn(node: Nodes): void {
  if (!('children' in node) || node.type === 'link' || node.type === 'linkReference') return;
  for (const child of node.children) linkIn(child);
  // Only texts are replaced, by what may stand where a text does.
  const children = node.children as PhrasingContent[];
  if (children.some((child) => child.type === 'text' && child.value.search(BEGINNINGS) >= 0))
    node.children = children.flatMap((child) => (child.type === 'text' ? linked(child.value) : child));
}

/** A text in parts: words and links. */
function linked(text: string): PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let done = 0;
  for (const { index } of text.matchAll(BEGINNINGS)) {
    if (index < done) continue;
    if (index > done) parts.push({ type: 'text', value: text.slice(done, index) });
    const written = text.slice(index, index + addressLength(text.slice(index)));
    done = index + written.length;
    parts.push(linkTo(written));
  }
  if (done < text.length) parts.push({ type: 'text', value: text.slice(done) });
  return parts;
}

const linkTo = (written: string): Link => ({
  type: 'link',
  url: /^www/iu.test(written) ? `http://${written}` : written,
  children: [{ type: 'text', value: written }],
});
