import { ADDRESS_EDGE } from '@atelier/contract/names/addresses';
import { cleanName } from '@atelier/contract/names/names';
import { sentencesOf } from '../language/sentences.ts';
import { dropEnd, dropStart } from '../trim.ts';

/** The longest title, in visible characters. */
const TITLE_MAX = 40;
/** A clause that ends before this says too little. */
const CLAUSE_MIN = 10;

/** Words that can't end a phrase: they lead to what was cut off. */
export const LOOSE_END = new Set(
  `a an the this that these those my your our his her its their some any no every each both of to in on at by for from with without about
  into onto over under between during through after before since until while when where which who whom whose what why how if whether because
  so than then as and or but nor yet is are was were be been being am do does did have has had can could would shall should might
  must i you he she we they it me us him them not very really just also too more most like such i'm i've i'd it's that's don't doesn't
  isn't there here gonna want wants need needs get got going trying using including per via vs all now ensure involving
  de la el los las del para con por que en un una y le les des du et pour avec dans sur der die das den dem ein eine einen und oder für
  mit von zu im zum zur`.split(/\s+/),
);
/** Where a clause ends. */
const CLAUSE =
  /[,;:(–—]\s|\s(?:because|since|so that|so|but|which|that|who|while|when|where|if|as|after|before|until|although|though|including|especially|and (?:i|i'm|i've|we|it|he|she|they|my|the|also|then|how|what|want))\s/gi;
/** Where a clause may end although it continues. */
const PHRASE = /\s(?:to|for|with|in|on|at|by|from|of|about|during|using|and|or)\s/gi;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const words = new Intl.Segmenter('und', { granularity: 'word' });

/** A phrase of at most `max` characters: cut where a clause or a word ends, and without a loose end. */
export function cutTitle(phrase: string, max = TITLE_MAX): string {
  const whole = tidy(phrase);
  const shown = [...graphemes.segment(whole.slice(0, 20 * max))];
  const title = shown.length <= max ? whole : tidy(cut(whole, shown[max]?.index ?? whole.length));
  return capital(title);
}

function cut(text: string, room: number): string {
  const head = text.slice(0, room);
  const word = text[room] === ' ' ? room : head.lastIndexOf(' ');
  if (word < CLAUSE_MIN / 2) return beforeWord(text, room);
  const before = (pattern: RegExp) =>
    [...text.slice(0, room + 1).matchAll(pattern)].map(({ index }) =>
      withoutSecond(dropLooseEnd(head.slice(0, index))),
    );
  const clause = before(CLAUSE).find(tells);
  if (clause !== undefined) return clause;
  const atWord = withoutSecond(dropLooseEnd(head.slice(0, word)));
  // A phrase may end before a preposition; elsewhere its noun may have been cut off.
  const [next = ''] = text.slice(word + 1).split(' ', 1);
  return LOOSE_END.has(next.toLowerCase()) ? atWord : (before(PHRASE).findLast(tells) ?? atWord);
}

/** “Review my config and suggest”: the second verb has only begun. */
function withoutSecond(text: string): string {
  const first = dropLooseEnd(text.replace(/ (?:and|or) \S+$/, ''));
  return tells(first) ? first : text;
}

/** Long enough, with at least two meaningful words. */
const tells = (text: string) =>
  text.length >= CLAUSE_MIN &&
  !/\bbetween \S+$/i.test(text) &&
  text.split(' ').filter((word) => !LOOSE_END.has(word.toLowerCase())).length > 1;

/** In scripts without spaces a dictionary finds the words; a word longer than a title is cut. */
function beforeWord(text: string, room: number): string {
  const last = [...words.segment(text.slice(0, room + 20))].findLast(({ index }) => index <= room && index > 0);
  return text.slice(0, last?.index ?? room);
}

function dropLooseEnd(text: string): string {
  let rest = dropEnd(text, ENDS);
  for (;;) {
    const word = rest.slice(rest.lastIndexOf(' ') + 1);
    if (word.length === rest.length || !isLoose(word)) return rest;
    rest = dropEnd(rest.slice(0, -word.length), ENDS);
  }
}

/** A word that needs a continuation: a particle, an adverb, a sign. */
const isLoose = (word: string) =>
  LOOSE_END.has(word.toLowerCase()) || /.{4}ly$/.test(word) || !/[\p{L}\p{N}]/u.test(word);

const STARTS = /[\s"'“‘«–—:;,.!?)\]-]/;
const ENDS = /[\s"'“‘«–—:;,.!?…([-]/;

/** Without quotation marks and punctuation at the ends; `C++` and `(a)` keep theirs. */
function tidy(text: string): string {
  const bare = dropEnd(dropStart(text.trim(), STARTS), ENDS);
  const closes = /[”’»"']$/.test(bare) && !/[“‘«"']/.test(bare.slice(0, -1));
  const closed = closes ? dropEnd(bare.slice(0, -1), ENDS) : bare;
  // One of two quotation marks was cut off.
  const odd = closed.split('"').length % 2 === 0 || closed.includes('“') !== closed.includes('”');
  const short = odd ? closed.replaceAll(/["“”]/g, '') : closed;
  // A bracket whose end was cut off.
  const open = short.lastIndexOf('(');
  return open > 0 && !short.includes(')', open) ? dropEnd(short.slice(0, open), ENDS) : short;
}

/** Capitalises words; names of programs and the like stay as written. */
function capital(title: string): string {
  const [first = ''] = title.split(' ', 1);
  return /^\p{Ll}[\p{Ll}'-]*[,:]?$/u.test(first) ? title.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : title;
}

/** How much of a message is read for its title. */
const READ_MAX = 2_000;
const CLAUSES_MAX = 12;

/** A piece of a message that could be its subject. */
interface Clause {
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
const QUESTION_START =
  /[,;] (?=(?:and |but |so )?(?:can|could|would|will|what|how|why|should|do you|any|is it|please)\b)/i;

const splitSentence = (sentence: string) => plainText(sentence).split(QUESTION_START);

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
