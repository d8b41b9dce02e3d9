import { isKnownWord } from '../related-words.ts';
import { isRelation } from './relations.ts';

/** What starts a sentence with a capital letter and is nobody's name. */
const NO_NAME = new Set(
  `the this that these those it there here what when where who why how yes no not and but so or if as in on at to for from with by of my our
  your his her its their he she they we you i today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january
  february march april may june july august september october november december nice good great thanks thank please sorry well oh ok okay
  just still also maybe everything everyone everybody somebody someone nobody nothing something anything all some many most both one two
  three people life work time god hello hi hey right`.split(/\s+/),
);
export const NAME = /^\p{Lu}[\p{L}'’-]+$/u;

/** “I'll” and “here's” are no names either. */
const withoutVerb = (word: string) => word.replace(/['’](?:ll|d|s|re|ve|m)$/u, '');

/** Whether a word that begins a sentence may be a name. */
export const mayBeName = (word: string): boolean => NAME.test(word) && !NO_NAME.has(withoutVerb(word.toLowerCase()));

/** Whether what stands after “my name is” may be one; who types in lower case writes one word. */
export const isName = (text: string): boolean =>
  /^(?:(?:now|actually|still|called) )?(?:[\p{Lu}\p{Lo}]|\p{Ll}+$)/u.test(text) && !NO_NAME.has(text);

/** “Exploring”, “Nuts”: a capital at the beginning of a sentence makes no name. */
export const isCommonWord = (word: string): boolean =>
  /^\p{Lu}\p{Ll}+$/u.test(word) && (word.endsWith('ing') || isKnownWord(word.toLowerCase()));

/** A person's name in a subject, or “Your sister”; undefined for a thing. */
export function personIn(subject: string[], isOwn: boolean): string | undefined {
  const words = subject.map((word) => word.replace(/,$/, ''));
  // “My sister's birthday” is still about her.
  const owner = words.findIndex((word) => /['’]s?$/u.test(word));
  const whom = (owner < 0 ? words : words.slice(0, owner + 1)).map((word) => word.replace(/['’]s?$/u, ''));
  const relation = whom.findIndex(isRelation);
  if (isOwn && relation < 0) return undefined;
  const names = whom.slice(isOwn ? relation + 1 : 0).filter((word) => NAME.test(word));
  if (names.length > 0) return names.slice(0, 2).join(whom.includes('and') ? ' and ' : ' ');
  const next = isOwn ? whom[relation + 1] : undefined;
  if (next !== undefined && /^\p{Ll}+$/u.test(next) && whom.length === relation + 2) {
    return next.replace(/^./u, (letter) => letter.toUpperCase());
  }
  return isOwn
    ? `Your ${whom
        .slice(whom[1] === 'new' ? 2 : 1, relation + 1)
        .join(' ')
        .toLowerCase()}`
    : undefined;
}
