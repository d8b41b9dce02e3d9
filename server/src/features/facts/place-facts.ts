import { replaces as makesUntrue, saysSame } from '../../platform/language/facts/replaces.ts';
import { namesIn, readStatement } from '../../platform/language/facts/statement.ts';

/** A fact among the others of an agent, with when it was stated or corrected. */
export interface Dated {
  id: string;
  text: string;
  at: Date;
}

/** Where a new fact belongs among those that are known. */
export interface Place {
  /** An earlier one says the same. */
  sameAs: string | null;
  /** A later one makes it untrue. */
  replacedBy: string | null;
  /** The earlier ones that it makes untrue. */
  replaces: string[];
}

/** Compares a new fact with the known ones that are neither forgotten nor repetitions, in any order. */
export function placeFact(fact: Dated, known: readonly Dated[]): Place {
  const names = namesIn([fact.text, ...known.map(({ text }) => text)]);
  const nameOf = (relation: string) => names.get(relation);
  const read = (text: string) => readStatement(text, nameOf);
  const now = read(fact.text);
  const compared = known.map((other) => ({ other, before: read(other.text) }));
  const same = compared.find(({ before }) => saysSame(now, before));
  const later = compared.find(({ other, before }) => other.at > fact.at && makesUntrue(before, now));
  const replaces = compared.filter(({ other, before }) => other.at <= fact.at && makesUntrue(now, before));
  return {
    sameAs: same?.other.id ?? null,
    replacedBy: later?.other.id ?? null,
    replaces: replaces.map(({ other }) => other.id),
  };
}
