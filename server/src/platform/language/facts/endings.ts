import { stemOf } from '../stems.ts';
import { wordsOf } from '../words.ts';
import { isAnimal } from './people.ts';
import { readClaim } from './read-claim.ts';

/** A thing that somebody has: the word that says what it is, and the stems of all its words. */
export interface Thing {
  head: string;
  stems: ReadonlySet<string>;
}

const BEFORE_VERB = /^(?:(?:have|just|recently|finally|also|already|now|officially|actually) )+/i;
/** What is lost is often found again; these are not. */
const LET_GO =
  /^(?:(?:sold|gave away|given away|got rid of|donated|gave up on|cancell?ed) (?:my|our|the)|cancell?ed(?= (?-i:\p{Lu}))|lost (?:my|our|the) (?=home\b|house\b|flat\b|apartment\b|visa\b|(?:driving )?licen[cs]e\b)) (?<what>.+)/iu;
const GAVE = /^gave (?:my|our|the) (?<what>.{2,60}) away\b/i;
const NOT_HAD = /^(?:no longer (?:have|own)|(?:don['’]t|do not) (?:have|own)(?=.* any ?more$)) (?<what>.+)/i;
const LEFT_JOB =
  /^(?:quit|left|lost|gave up|resigned from) (?:my|our|the) job(?: (?:last|this|in|on|because|after)\b.*)?$/i;

/** What follows a thing and says nothing about it. */
const AFTERWARDS =
  /[,;:]| (?:and|or|but|because|since|so|when|while|after|before|until|last|this|next|yesterday|today|instead|recently|again|now|any ?more|for)(?= |$)| on (?=\p{L}+day\b|\d|the\b)| in (?=\d|the\b|january|february|march|april|may\b|june|july|august|september|october|november|december|spring|summer|autumn|winter)| (?:\p{L}+|\d+) (?:days?|weeks?|months?|years?) ago/iu;
/** Who gets what is sold or given away. */
const RECIPIENT = / to /i;
const DETERMINER = /^(?:(?:an?|the|my|our|any|some|one|two|three|four|five|several|many) )+/i;
/** What follows the word that says what a thing is. */
const QUALIFIER = / (?:in|at|to|with|from|of|by|near|on|called|named|that|which) /i;
const SEVERAL = / (?:and|or) /i;

const HAVING =
  /^(?:(?:have|also|still|now|currently|just|recently|both) )*(?:have(?: got)?|own|keep|drive|ride|bought|got|adopted|inherited|subscribe to|(?:am|are) saving (?:up )?for|(?:love|like|adore|enjoy)(?= (?:my|our) )) (?<what>.+)/i;
const BEING = /^(?:is|are) (?:(?:now|still|also|called|named) )*(?<what>.+)/i;
const PAST = /^(?:was|were|had|used|died|broke)\b/i;
/** “My favourite animal is the horse”: a choice, not a thing that somebody has. */
const NO_THING = /\b(?:favou?rite|dream|goal|plan|wish|idea|hobby|job|rule)\b/i;
/** “I cancelled Netflix”, after “I have a Netflix subscription”. */
const CONTRACT = /^(?:subscription|membership|account|contract|plan)$/i;

/** What somebody says they no longer have; `thing` is undefined for what nobody has for long. */
export type Ending = 'job' | { thing: Thing | undefined; isCancelled: boolean };

/** What a person says they no longer have: “I sold my Golf”, “I quit my job”. Undefined when it is nothing of the kind. */
export function endingIn(text: string): Ending | undefined {
  const claim = readClaim(text);
  if (claim?.kind !== 'self') return undefined;
  const predicate = claim.predicate.replace(BEFORE_VERB, '');
  if (LEFT_JOB.test(predicate)) return 'job';
  const what = [LET_GO, GAVE, NOT_HAD].map((end) => end.exec(predicate)?.groups?.what).find(Boolean);
  if (what === undefined) return undefined;
  const isCancelled = /^cancel/i.test(predicate);
  const [named = ''] = what.split(AFTERWARDS);
  return { thing: readThing(isCancelled ? named : named.split(RECIPIENT)[0]), isCancelled };
}

/** The things that a fact says the person has: what they own, what theirs is, what they tell of it. */
export function thingsIn(text: string): Thing[] {
  const claim = readClaim(text);
  if (claim === undefined) return [];
  const { kind, subject, predicate } = claim;
  if (kind === 'self') return listOf(HAVING.exec(predicate)?.groups?.what);
  const isOwn = /^(?:my|our|the) /i.test(subject);
  if (!isOwn || PAST.test(predicate) || (kind === 'person' && !isAnimal(subject.split(' ')[1] ?? ''))) return [];
  const value = NO_THING.test(subject) ? undefined : BEING.exec(predicate)?.groups?.what;
  return [...listOf(subject), ...listOf(value)];
}

/** A thing as it was written, in a list; empty for two things, somebody else's, and none. */
function listOf(written: string | undefined): Thing[] {
  const one = written?.split(/[,;:]| (?:because|since|so|when|while|for|every|on) /)[0];
  const thing = one === undefined || SEVERAL.test(one) ? undefined : readThing(one);
  return thing === undefined ? [] : [thing];
}

function readThing(written: string | undefined): Thing | undefined {
  const words = (written ?? '').trim().replace(DETERMINER, '');
  const head = words.split(QUALIFIER)[0]?.split(' ').at(-1)?.toLowerCase();
  if (head === undefined || head === '' || /['’]s? /.test(words)) return undefined;
  const stems = wordsOf(words.split(QUALIFIER).join(' ')).map((word) => stemOf(word));
  return { head, stems: new Set(stems) };
}

/** Whether these words mean that thing: they name the same kind, and say nothing else of it. */
export function isEndOf({ thing: ended, isCancelled }: Exclude<Ending, 'job'>, thing: Thing): boolean {
  if (ended === undefined) return false;
  const isNamed = ended.head === thing.head || (isCancelled && CONTRACT.test(thing.head));
  return isNamed && [...ended.stems].every((stem) => thing.stems.has(stem));
}
