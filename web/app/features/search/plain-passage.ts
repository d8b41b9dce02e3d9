import type { Passage } from '@atelier/contract/search';
import { plainWords } from '../../lib/plain-words.ts';

// Characters that no text contains: they separate the hits while Markdown is removed.
const [OPEN, CLOSE] = ['\uE000', '\uE001'];

/** A passage of an answer without its Markdown; hits stay marked. */
export function plainPassage(passage: Passage): Passage {
  const text = passage.map((part) => (part.hit ? `${OPEN}${part.text}${CLOSE}` : part.text)).join('');
  return plainWords(text)
    .replaceAll('\n', ' ')
    .split(/(\uE000[^\uE000\uE001]*\uE001)/u)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(OPEN) ? { text: part.slice(1, -1), hit: true } : { text: part, hit: false }));
}
