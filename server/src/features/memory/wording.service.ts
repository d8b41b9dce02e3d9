import type { WhyFound } from '@atelier/contract/search/why-found';
import type { Term } from '../../platform/database/text-search.ts';
import { isDictionaryWord, relatedWords } from '../../platform/language/related-words.ts';
import { stemOf } from '../../platform/language/stems.ts';
import { isContent, wordsOf } from '../../platform/language/words.ts';

/** Only words of this length are corrected; shorter and longer ones have too many neighbours one letter away. */
const SPELLED = { min: 5, max: 12 };
/** How many words of a search are corrected; each has some hundred neighbours. */
const MISTYPED = 2;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** A search's words as terms, each with its related words; undefined when none has any. */
export function relatedTerms(words: readonly string[]): Term[] | undefined {
  const content = words.filter((word) => isContent(word));
  const terms = content.map((word) => [word, ...relatedWords(word)]);
  const finds = terms.some((term) => term.length > 1) || (content.length > 0 && content.length < words.length);
  return finds ? terms : undefined;
}

/** The same with every spelling one letter away, for words that look mistyped; undefined when none does. */
export function spelledTerms(words: readonly string[]): Term[] | undefined {
  const content = words.filter((word) => isContent(word));
  const mistyped = content.filter(looksMistyped).slice(0, MISTYPED);
  const terms = content.map((word) => [word, ...(mistyped.includes(word) ? spelledNearly(word) : [])]);
  return terms.some((term) => term.length > 1) ? terms : undefined;
}

const looksMistyped = (word: string) =>
  word.length >= SPELLED.min && word.length <= SPELLED.max && /^[a-z]+$/.test(word) && !isDictionaryWord(word);

/** Spellings with one letter less, more or changed, or with two neighbours swapped. */
function spelledNearly(word: string): string[] {
  const spellings = new Set<string>();
  for (let at = 0; at <= word.length; at += 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)];
    spellings.add(head + tail.slice(1));
    if (tail.length > 1) spellings.add(`${head}${tail[1]}${tail[0]}${tail.slice(2)}`);
    for (const letter of LETTERS) {
      spellings.add(head + letter + tail);
      if (tail !== '') spellings.add(head + letter + tail.slice(1));
    }
  }
  spellings.delete(word);
  return [...spellings];
}

/** Why a text was found: `standing` are its words that match the terms. */
export function explain(words: readonly string[], terms: readonly Term[], standing: readonly string[]): WhyFound {
  const present = [...new Set(standing.map((word) => word.toLowerCase()))];
  const queryStems = new Set(words.map((word) => stemOf(word)));
  const others = present.filter(
    (word) => !queryStems.has(stemOf(word)) && !words.some((begun) => word.startsWith(begun)),
  );
  const instead = terms.filter(
    (term) =>
      typeof term !== 'string' && others.some((word) => term.slice(1).some((one) => stemOf(one) === stemOf(word))),
  );
  if (others.length === 0 || instead.length === 0) return { by: 'words', words: [...words], found: present };
  const replaced = instead.flatMap((term) => term[0] ?? []);
  return { by: replaced.some(looksMistyped) ? 'spelling' : 'related', words: replaced, found: others };
}

/** The words of a text that match terms. */
export function standingIn(text: string, terms: readonly Term[]): string[] {
  const last = terms.at(-1);
  const stems = new Set(terms.flat().map((word) => stemOf(word)));
  return wordsOf(text).filter((word) => stems.has(stemOf(word)) || (typeof last === 'string' && word.startsWith(last)));
}
