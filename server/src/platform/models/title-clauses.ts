import { ADDRESS_EDGE } from '@atelier/contract/names/addresses';
import { cleanName } from '@atelier/contract/names/names';
import { sentencesOf } from '../language/sentences.ts';

/** How much of a message is read for its title. */
const READ_MAX = 2_000;
const CLAUSES_MAX = 12;

/** A piece of a message that could be its subject. */
export interface Clause {
  text: string;
  /** A line of a program. */
  code: boolean;
}

/** The clauses of a message, without Markdown, addresses and invisible characters. */
export function clausesOf(message: string): Clause[] {
  const blocks = message.slice(0, READ_MAX).toWellFormed().split(FENCE);
  const clauses = blocks.flatMap((block, at) => {
    const code = at % 2 === 1;
    const texts = code ? block.split('\n').map(plainLine) : sentencesOf(block).flatMap(splitSentence);
    return texts.map((text) => ({ text: text.trim(), code }));
  });
  return clauses.filter(({ text }) => text !== '').slice(0, CLAUSES_MAX);
}

const FENCE = /^[ \t]{0,12}(?:```|~~~).*$/m;
/** Where a sentence begins to ask. */
const ASKED = /[,;] (?=(?:and |but |so )?(?:can|could|would|will|what|how|why|should|do you|any|is it|please)\b)/i;

const splitSentence = (sentence: string) => plainText(sentence).split(ASKED);

const plainLine = (line: string) =>
  // Invisible characters and direction marks could hide or reorder text.
  cleanName(line).replaceAll(/\s+/g, ' ');

/** Removes the signs of emphasis, headings and quotes; a star between numbers, `C#`, `snake_case` and `AT&T` keep theirs. */
export function plainText(line: string): string {
  return plainLine(line)
    .replace(/^(?:(?:#{1,6}|>|[-*+•]|\d{1,2}[.)]) )+/, '')
    .replaceAll(/!?\[([^[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*\)/g, '$1')
    .split(ADDRESS_EDGE)
    .map((part) => part.replaceAll(/\bhttps?:\/\/(?:www\.)?([^\s/?#<>()]+)[^\s<>()]*/gi, '$1'))
    .join('')
    .replaceAll(/<\/?[a-z][^<>]{0,100}>/gi, ' ')
    .replaceAll(/\*\*([^*]+)\*\*/g, '$1')
    .replaceAll(/(?<![\p{L}\p{N}*])\*([^\s*][^*]*)\*(?![\p{L}\p{N}*])/gu, '$1')
    .replaceAll(/(?<![\p{L}\p{N}_])_([^_]+)_(?![\p{L}\p{N}_])/gu, '$1')
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[`~]/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}
