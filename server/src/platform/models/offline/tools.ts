import { ADDRESS_EDGE } from '@atelier/contract/names/addresses';
import { isRecord, jsonIn } from '../../parsed-json.ts';
import { dropEnd, dropStart } from '../../trim.ts';

/** One call that the offline model chose. */
export interface PlannedCall {
  name: string;
  input: Record<string, unknown>;
}

const URL_PATTERN = /\bhttps?:\/\/[^\s<>"'`)\]]+[^\s<>"'`)\].,;:!?]/gi;
const CODE = /```(?:js|javascript)[^\S\n]*\n(?<code>[\s\S]*?)```/i;
/** With single spaces. */
const TIME =
  /\bwhat(?:'s|’s| is)? (?:the )?(?:current |local )?(?:time|date|day)\b(?: is it)?(?: right now| now)?(?: (?:in|at|for)\b)?/giu;
const PLACE = /^[\p{L}/_ .-]{2,60}$/u;
const SEARCH =
  /\bsearch\s+(?:in\s+)?(?:my|your|the)\s+(?<where>memory|files?)\s+(?:for|about)\s+(?<query>[^\n]{2,500})/i;
const WORDS: [RegExp, string][] = [
  [/\bto the power of\b/gi, '^'],
  [/\bdivided by\b/gi, '/'],
  [/\b(?:times|multiplied by)\b/gi, '*'],
  [/\bplus\b/gi, '+'],
  [/\bminus\b/gi, '-'],
  [/(?<=\d)\s*(?:%|percent)\s+of\s+/gi, '/100*'],
];
const EXPRESSION = /(?:(?:sqrt|sin|cos|tan|ln|log10|log2|abs|round|min|max|pi|PI)\b|[\d.,()+\-*/^×÷−%\s])+/g;
/** In an expression without spaces. */
const HAS_OPERATION = /\d\)*[-+*/^×÷−%]\(*[-\d(a-z]|(?:sqrt|sin|cos|tan|ln|log10|log2|abs|round|min|max)\(/i;
/** Dates and telephone numbers. */
const NO_SUMS = [/\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b/g, /\+\d[\d -]{7,}/g];

/**
 * The tools to call for a message, by fixed rules: run a program in a code block, fetch an address, calculate, look up the time, search
 * files and memory, and call a tool by name (“use NAME with {"a": 1}”). Only tools that the agent has.
 */
export function planCalls(text: string, tools: readonly string[]): PlannedCall[] {
  const message = text.slice(0, 20_000);
  const byName = named(message, tools);
  if (byName.length > 0) return byName;
  const has = (name: string) => tools.includes(name);
  const code = CODE.exec(message)?.groups?.code;
  if (code !== undefined && has('run_javascript')) return [{ name: 'run_javascript', input: { code } }];
  const urls = [...new Set(message.split(ADDRESS_EDGE).flatMap((part) => part.match(URL_PATTERN) ?? []))].slice(0, 2);
  if (urls.length > 0 && has('web_fetch')) return urls.map((url) => ({ name: 'web_fetch', input: { url } }));
  const place = placeOfTime(message);
  if (place !== undefined && has('current_time')) return [{ name: 'current_time', input: { place } }];
  const search = SEARCH.exec(message)?.groups;
  const wanted = search?.where === 'memory' ? 'search_memory' : 'search_files';
  if (search?.query !== undefined && has(wanted)) return [{ name: wanted, input: { query: search.query } }];
  const expression = expressionIn(message);
  if (expression !== undefined && has('calculator')) return [{ name: 'calculator', input: { expression } }];
  if (has('search_files') && /\?\s*$/.test(message)) return [{ name: 'search_files', input: { query: message } }];
  return [];
}

/** “Use add with {"a": 1, "b": 2}”: the name may omit the server. */
function named(text: string, tools: readonly string[]): PlannedCall[] {
  const call = /\b(?:use|call|run)\s+(?:the\s+)?(?:tool\s+)?`?(?<name>[\w.-]{2,100})`?(?<rest>[^\n]*)/i.exec(
    text,
  )?.groups;
  const name = tools.find((tool) => tool === call?.name) ?? tools.find((tool) => tool.endsWith(`__${call?.name}`));
  if (name === undefined) return [];
  const rest = call?.rest ?? '';
  const input = jsonIn(rest);
  return [{ name, input: isRecord(input) ? input : {} }];
}

/** The place whose time a text asks for at its end, if any. */
function placeOfTime(text: string): string | undefined {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  const time = [...plain.matchAll(TIME)].at(-1);
  if (time === undefined) return undefined;
  const rest = dropEnd(plain.slice(time.index + time[0].length), /[?.! ]/).trim();
  const place = rest.replace(/ ?\b(?:right now|now|today)$/i, '');
  if (place === '') return 'UTC';
  return / (?:in|at|for)$/i.test(time[0]) && PLACE.test(place) ? place : undefined;
}

/** The longest expression in a text, ignoring dates and telephone numbers. */
function expressionIn(text: string): string | undefined {
  const asks = /\?|\b(?:calculate|compute|work out|evaluate|how much|what)\b|=\s*$/i.test(text);
  let plain = text.slice(0, 2_000);
  for (const [pattern, sign] of WORDS) plain = plain.replaceAll(pattern, sign);
  for (const pattern of NO_SUMS) plain = plain.replaceAll(pattern, ' ; ');
  const expressions = (plain.match(EXPRESSION) ?? [])
    .map((piece) => dropStart(dropEnd(piece, /[\s.,+\-*/^×÷−(]/), /[\s.,*/^×÷%)]/))
    .filter((piece) => HAS_OPERATION.test(piece.replaceAll(/\s/g, '')))
    .toSorted((a, b) => b.length - a.length)[0];
  const alone = expressions !== undefined && expressions.length >= plain.replaceAll(/[\s=?.]/g, '').length;
  return asks || alone ? expressions : undefined;
}
