import { stem } from './offline-words.ts';

const RELATION =
  'sister|brother|mother|father|mum|mom|dad|wife|husband|partner|son|daughter|cousin|aunt|uncle|friend|neighbou?r|boss|manager|colleague|plumber|electrician|doctor|dentist|teacher|tutor|supervisor|professor|landlord|dog|cat|starter|lab partner|flatmate|roommate|boyfriend|girlfriend|grandmother|grandfather';
const NAME = '(?:(?:Mr|Mrs|Ms|Dr) )?(\\p{Lu}[\\p{L}-]+)';
const PATTERNS = [
  new RegExp(`\\b(?:my|our|My|Our) (${RELATION})(?: is| is called| is named|'s name is|,)? ${NAME}`, 'gu'),
  new RegExp(`\\b(?:my|our|My|Our) (?:\\p{L}+ )?(${RELATION}) is (?:called|named) ${NAME}`, 'gu'),
];
const REVERSED = new RegExp(`\\b${NAME},? (?:is )?(?:my|our) (${RELATION})\\b`, 'gu');

/** Who is who: after “my husband Tom”, the stems of “husband” and “Tom” stand for each other. */
export function aliasesIn(texts: string[]): Map<string, string> {
  const aliases = new Map<string, string>();
  const add = (one: string | undefined, other: string | undefined) => {
    if (one === undefined || other === undefined) return;
    aliases.set(stem(one.toLowerCase()), stem(other.toLowerCase()));
    aliases.set(stem(other.toLowerCase()), stem(one.toLowerCase()));
  };
  for (const text of texts) {
    for (const pattern of PATTERNS) for (const [, relation, name] of text.matchAll(pattern)) add(relation, name);
    for (const [, name, relation] of text.matchAll(REVERSED)) add(relation, name);
  }
  return aliases;
}

/** The same stems and beside them the other names of those they speak of. */
export function withAliases(stems: string[], aliases: Map<string, string>): string[] {
  return [...stems, ...stems.flatMap((word) => aliases.get(word) ?? [])];
}
