import type { Passage } from '@atelier/contract/search';
import { plainWords } from '../../lib/markdown/plain-words.ts';

// Characters that no text contains: they separate the hits while Markdown is removed.
const [OPEN, CLOSE] = ['\uE000', '\uE001'];
/** Marks of a bold part that the passage has only the beginning or the end of; no power of a number. */
const CUT_BOLD = /(?<!\S)\*\*(?=\S)|(?<=\S)\*\*(?![\p{L}\p{N}*])/gu;
/** The same of an emphasized part; no file pattern, and no figure with a star. */
const CUT_EMPHASIS = /(?<!\S)\*(?=[\p{L}\uE000])|(?<=[\p{L}\uE001.,:;!?…)”"'])\*(?![\p{L}\p{N}*.])/gu;

/** A passage of an answer without its Markdown; hits stay marked. */
export function plainPassage(passage: Passage): Passage {
  const text = passage.map((part) => (part.hit ? `${OPEN}${part.text}${CLOSE}` : part.text)).join('');
  return plainWords(text)
    .replaceAll(CUT_BOLD, '')
    .replaceAll(CUT_EMPHASIS, '')
    .replaceAll('\n', ' ')
    .split(/(\uE000[^\uE000\uE001]*\uE001)/u)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(OPEN) ? { text: part.slice(1, -1), hit: true } : { text: part, hit: false }));
}
