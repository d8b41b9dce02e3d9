import { isDictionaryWord } from '../related-words.ts';

/** People of a life, whom a name may follow, as it may an animal. */
const RELATIONS = new Set(
  `sister brother mother father mum mom mama dad papa parents wife husband partner spouse fiance fiancee son daughter child kid baby twin
  twins cousin aunt uncle niece nephew grandmother grandfather grandma grandpa granny grandson granddaughter stepmother stepfather
  stepson stepdaughter grandchildren girls boys godson goddaughter friend girlfriend boyfriend neighbour neighbor boss manager colleague coworker teammate client
  customer plumber electrician doctor dentist therapist vet teacher tutor coach supervisor professor landlord landlady lawyer accountant
  flatmate roommate housemate assistant intern trainer mentor sisters brothers sons daughters children kids neighbours neighbors in-laws
  eldest oldest youngest firstborn other-half missus hubby mate mates buddy pal nan gran auntie godmother godfather ex
  mother-in-law father-in-law brother-in-law sister-in-law`.split(/\s+/),
);
const ANIMALS = new Set(
  'dog cat puppy kitten horse pony rabbit parrot hamster tortoise goldfish budgie guinea-pig pet cats dogs'.split(' '),
);
export const isAnimal = (word: string) => ANIMALS.has(word.toLowerCase());
export const isRelation = (word: string) => RELATIONS.has(word.toLowerCase()) || isAnimal(word);

/** “Mum”, without “my”. */
export const KIN = /^(?:mum|mom|mummy|dad|daddy|mama|papa|grandma|grandpa|granny|gran|nan|nana|grandad)$/i;
/** Those of a household whom people call “the”. */
export const HOUSEHOLD = /^the (?:twins|kids|children|baby|girls|boys|grandchildren|in-laws|dogs?|cats?|pets)\b/i;

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
  /^\p{Lu}\p{Ll}+$/u.test(word) && (word.endsWith('ing') || isDictionaryWord(word.toLowerCase()));

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
  const kin = whom.slice(whom[1] === 'new' ? 2 : 1, relation + 1).join(' ');
  return isOwn ? `Your ${kin.toLowerCase()}` : undefined;
}
