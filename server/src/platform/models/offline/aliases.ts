import { isRelation } from '../../language/facts/relations.ts';
import { stemOf } from '../../language/stems.ts';

const NAME = '(?:(?:Mr|Mrs|Ms|Dr) )?(\\p{Lu}[\\p{L}-]+)';
const WORD = '(\\p{L}+)';
const START = '(?<![\\p{L}-])';
/** “My husband Tom”, “my lab partner is called Ana”. */
const PATTERNS = [
  new RegExp(`${START}(?:my|our|My|Our) (?:lab )?${WORD}(?: is called| is named| is|'s name is|,)? ${NAME}`, 'gu'),
  new RegExp(`${START}(?:my|our|My|Our) (?:\\p{L}+ )?${WORD} is (?:called|named) ${NAME}`, 'gu'),
];
const REVERSED = new RegExp(`${START}${NAME},? (?:is )?(?:my|our) (?:lab )?${WORD}`, 'gu');

/** Who is who: after “my husband Tom”, the stems of “husband” and “Tom” mean the same person. */
export function aliasesIn(texts: string[]): Map<string, string> {
  const aliases = new Map<string, string>();
  const add = (relation: string | undefined, name: string | undefined) => {
    if (relation === undefined || name === undefined || !isRelation(relation)) return;
    aliases.set(stemOf(relation), stemOf(name.toLowerCase()));
    aliases.set(stemOf(name.toLowerCase()), stemOf(relation));
  };
  for (const text of texts) {
    for (const pattern of PATTERNS) for (const [, relation, name] of text.matchAll(pattern)) add(relation, name);
    for (const [, name, relation] of text.matchAll(REVERSED)) add(relation, name);
  }
  return aliases;
}

/** The same stems, with the other names of the people they mean. */
export function withAliases(stems: string[], aliases: Map<string, string>): string[] {
  return [...stems, ...stems.flatMap((word) => aliases.get(word) ?? [])];
}
