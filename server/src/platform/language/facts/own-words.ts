import { readSentences } from '../sentences.ts';

/** One sentence of a person's message. */
export interface OwnSentence {
  text: string;
  /** Which message part it is in, and its place there. */
  part: number;
  sentence: number;
  /** Whether it is, or contains, something that the person quoted or pasted. */
  quoted: boolean;
}

/** Stands for a character that the person did not write themselves. */
const MASK = '\uFFFC';
/** Longer quotations have an author of their own; shorter ones are titles and names. */
const TITLE_WORDS = 4;

const FENCE = /^\s{0,3}(?:```|~~~)/;
/** Quotations, tables, markup, data and code, by how their lines begin. */
const FOREIGN_LINE = /^(?:\s{0,3}[>|<{}[\]#]|\t| {4})|[{};]$|=>|\]\(|<\/?[a-z]+>/i;
/** What follows such a line was copied: a rule, the head of a mail, a forwarded message. */
const COPY_BEGINS =
  /^\s{0,3}(?:[-=*_]{3,}|-----|(?:from|to|subject|date|cc|re|fwd?|title|url|source|system|instructions?)\s?:|on .{5,80} wrote:|begin\b)/i;
const SPEAKER = /^\s{0,3}(?!(?:my|our|the|note|reminder|fyi|ps|also|facts?|remember|and)\b)\p{L}[\p{L} ]{1,24}:\s/iu;

const TEXTS =
  'texts?|articles?|emails?|e-mails?|mails?|messages?|pages?|letters?|documents?|docs?|code|logs?|quotes?|quotations?|posts?|paragraphs?|passages?|transcripts?|story|stories|poems?|reviews?|instructions?|prompts?|excerpts?|sentences?|chats?|conversations?|contracts?|files?|readme|descriptions?|bio|profile|website|answers?|outputs?|results?|comments?|lyrics|abstracts?|reports?|tickets?|snippets?|drafts?|essays?|notes from|minutes';
const SPEAKS =
  'says|said|saying|writes|wrote|written|reads|states|stated|goes|told|tells|asks|asked|answers|answered|replied|claims|claimed|mentions|quote|quoted|verbatim|pasted|copied|forwarded|follows|following|below';
const ASKS =
  'summari[sz]e|translate|rewrite|rephrase|proofread|correct|improve|explain|analy[sz]e|classify|edit|shorten|review|paraphrase|continue|complete|fix|check|look at|compare|read|extract|turn';
/** A sentence that introduces somebody else's words. */
const INTRODUCES = new RegExp(`\\b(?:${TEXTS}|${SPEAKS}|${ASKS})\\b`, 'i');
/** The same without a colon: “Here is the mail I got”. */
const SHOWS = new RegExp(
  `\\b(?:this|these|the following|below|here(?:['’]s| is| are)|attached|got this|i found|i copied)\\b.{0,80}\\b(?:${TEXTS}|below)\\b|\\b(?:as follows|verbatim|see below|pasted|(?:${ASKS}) (?:this|it|below|the following))\\b`,
  'i',
);

/**
 * The sentences of a message that was stored in parts, each with its place. `quoted` sentences are not the person's own: code, block and
 * other quotations, and what stands after a sentence that introduces a copied text.
 */
export function ownSentences(parts: readonly string[]): OwnSentence[] {
  const masked = maskQuotations(parts.join('\n'));
  let begin = 0;
  return parts.flatMap((part, at) => {
    const own = masked.slice(begin, begin + part.length);
    begin += part.length + 1;
    return readSentences(part).map(({ text, start, end, place }) => {
      return { text, part: at, sentence: place, quoted: own.slice(start, end).includes(MASK) };
    });
  });
}

/** A text of the same length, in which what the person quoted is masked. */
function maskQuotations(text: string): string {
  const lines = maskBetween(maskBetween(text, '"""', '"""'), "'''", "'''").split('\n');
  const speakers = lines.filter((line) => SPEAKER.test(line)).length;
  let inFence = false;
  let copied = false;
  const masked = lines.map((line) => {
    const fence = FENCE.test(line);
    if (fence) inFence = !inFence;
    if (COPY_BEGINS.test(line)) copied = true;
    if (fence || inFence || copied || FOREIGN_LINE.test(line) || (speakers > 1 && SPEAKER.test(line))) {
      return hide(line);
    }
    const begins = copyBegins(line);
    if (begins === undefined) return maskInline(line);
    copied = true;
    return maskInline(line.slice(0, begins)) + hide(line.slice(begins));
  });
  return masked.join('\n');
}

const hide = (text: string) => MASK.repeat(text.length);

/** Where somebody else's words begin in or after a line; its length when they begin in the next one. */
function copyBegins(line: string): number | undefined {
  for (let colon = line.indexOf(':'); colon >= 0; colon = line.indexOf(':', colon + 1)) {
    const head =
      line
        .slice(0, colon)
        .split(/[.!?]\s/)
        .at(-1) ?? '';
    // A time or an address has no blank after its colon.
    if (/^(?:\s|$|["“'‘])/.test(line.slice(colon + 1)) && INTRODUCES.test(head.slice(-160))) return colon + 1;
  }
  return SHOWS.test(line.slice(-240)) ? line.length : undefined;
}

const QUOTES = new Map([
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['"', '"'],
  ['`', '`'],
  ['‘', '’'],
]);

/** Masks the long quotations of a line; one without an end goes to the line's end. */
function maskInline(line: string): string {
  let out = '';
  for (let at = 0; at < line.length; ) {
    const sign = line[at] ?? '';
    const close = QUOTES.get(sign);
    // An inch or an apostrophe stands after a letter or a digit.
    if (close === undefined || /[\p{L}\p{N}]$/u.test(line.slice(at - 1, at))) {
      out += sign;
      at += 1;
      continue;
    }
    const end = line.indexOf(close, at + 1);
    const quoted = end < 0 ? line.slice(at) : line.slice(at, end + 1);
    out += isTitle(quoted.slice(1, -1)) && end >= 0 ? quoted : hide(quoted);
    at += quoted.length;
  }
  return out;
}

const isTitle = (quoted: string) => quoted.trim().split(' ').length <= TITLE_WORDS && !/[.!?:]\s/.test(quoted);

/** Masks what stands between two marks, to the end where the second one is missing. */
function maskBetween(text: string, open: string, close: string): string {
  let out = '';
  for (let at = 0; ; ) {
    const begin = text.indexOf(open, at);
    if (begin < 0) return out + text.slice(at);
    const closing = text.indexOf(close, begin + open.length);
    const end = closing < 0 ? text.length : closing + close.length;
    out += text.slice(at, begin) + hide(text.slice(begin, end));
    at = end;
  }
}
