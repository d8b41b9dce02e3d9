import { clausesOf } from './clauses.ts';
import { isLasting } from './lasting.ts';
import { type OwnSentence, ownSentences } from './own-words.ts';
import { ABOUT_SELF, type Claim, readClaim } from './read-claim.ts';

/** A short statement of a person, and the sentence that it comes from. */
export interface FactCandidate {
  text: string;
  /** Whom or what it is about, for people: “You”, a name, “Shared”. */
  about: string;
  part: number;
  sentence: number;
}

/** A message states a few things about a life; a text with more of them was copied from somewhere. */
const MANY = 40;
/** Nobody tells of themselves for longer, and reading takes its time. */
const PARTS_MAX = 12;
/** In a text of this length only what the person says of themselves and theirs counts. */
const LONG = 900;
const CALL_ME =
  /^(?:(?:please|everyone|everybody|people|friends|they|my friends|you can) )*call(?:s)? me (?<name>\p{L}[\p{L}'’ -]{0,40})$/iu;
/** “Lives in Lisbon and works as a nurse”. */
const SECOND_VERB =
  / and (?:also )?(?=(?:is|am|are|has|have|lives?|works?|likes?|loves?|hates?|prefers?|plays?|speaks?|drives?|owns?|studies|study|teach(?:es)?|eats?|drinks?|wears?|collects?|don['’]t|doesn['’]t|can['’]t|never|always|was born|moved)\b)/i;
/** “I like tea because it is warm and has a taste”: the second verb may be about something else. */
const SUBORDINATE = /\b(?:because|since|as|which|who|whom|that|where|when|while|so)\b/i;
/** What a line break, a code or a list cut off. */
const CUT_OFF = /\b(?:and|or|but|an?|the|of|to|with|for|like|where|which|that|since|because|this|these)$/i;
const THIRD_PERSON = /^(?:is|has|doesn['’]t|(?!always|was)\p{Ll}+s) /u;
const PRONOUN = /^(?<word>he|she|his|her)(?<short>['’]s)? (?<rest>.+)$/iu;

/**
 * The facts that a person states in a message, by rules: what they say of themselves, of theirs and of people they name. No questions,
 * requests, guesses, reports, greetings, nothing about this very moment, and nothing that they quote or paste. `names` are those of people
 * they spoke about earlier.
 */
export function findFacts(parts: readonly string[], names: readonly string[] = []): FactCandidate[] {
  const nameSet = new Set(names);
  const isLong = parts.reduce((sum, part) => sum + part.length, 0) > LONG;
  const seen = new Set<string>();
  let whom: Claim | undefined;
  const facts = ownSentences(parts.slice(0, PARTS_MAX)).flatMap((sentence) => {
    if (sentence.quoted) return [];
    const facts: FactCandidate[] = [];
    for (const clause of clausesOf(sentence.text)) {
      for (const claim of claimsIn(clause, whom)) {
        if (claim.kind === 'person') whom = claim;
        if (/^(?:my|our) /i.test(claim.subject) || /\b(?:my|our) /i.test(claim.predicate)) nameSet.add(claim.about);
        const isOwn = claim.kind === 'self' || /\b(?:my|our)\b/i.test(`${claim.subject} ${claim.predicate}`);
        const text = sentenceOf(claim);
        if ((isLong && !isOwn) || CUT_OFF.test(text) || !isLasting(claim, nameSet) || seen.has(text.toLowerCase()))
          continue;
        seen.add(text.toLowerCase());
        facts.push({ text, about: claim.about, part: sentence.part, sentence: sentence.sentence });
      }
    }
    return facts;
  });
  return facts.length > MANY ? [] : facts;
}

/** Whether a sentence is the person's own statement, so that a model may have distilled a fact from it. */
export const isOwnStatement = ({ text, quoted }: OwnSentence): boolean => !quoted && clausesOf(text).length > 0;

/**
 * Whether a message may state facts: a quick check that spares most messages the work. `any` is for a model, which may see facts where the
 * rules see none: a statement about the person, theirs or somebody by name is enough.
 */
export const mayStateFacts = (parts: readonly string[], kind: 'lasting' | 'any' = 'lasting'): boolean =>
  ownSentences(parts).some(
    ({ text, quoted }) =>
      !quoted &&
      clausesOf(text).some((clause) => claimsIn(withPronoun(clause)).some((claim) => kind === 'any' || mayLast(claim))),
  );

/** “She lives in Lisbon” may be about somebody whom an earlier message names. */
const withPronoun = (clause: string) => clause.replace(/^(?:he|she) /i, 'Somebody ');
const mayLast = (claim: Claim) => isLasting(claim, new Set([claim.about]));

/** The claims of one clause; a pronoun stands for the person named before. */
export function claimsIn(clause: string, before?: Claim): Claim[] {
  const called = CALL_ME.exec(clause)?.groups?.name;
  if (called !== undefined) return [{ subject: 'Call', predicate: `me ${called}`, kind: 'thing', about: ABOUT_SELF }];
  const named = before === undefined ? clause : withoutPronoun(clause, before.about);
  const claim = readClaim(named);
  if (claim === undefined) return [];
  const aside = claim.predicate.search(SUBORDINATE);
  const [main, rest] =
    aside < 0 ? [claim.predicate, ''] : [claim.predicate.slice(0, aside), claim.predicate.slice(aside)];
  const predicates = main.split(SECOND_VERB);
  const [first = '', ...more] = predicates.map((predicate, at) =>
    at === predicates.length - 1 ? predicate + rest : predicate,
  );
  // “I live with my brother and works as …” goes on about somebody else.
  const own = claim.kind === 'self' ? more.filter((predicate) => !THIRD_PERSON.test(predicate)) : more;
  return [first, ...own].map((predicate) => ({ ...claim, predicate }));
}

function withoutPronoun(clause: string, name: string): string {
  const read = PRONOUN.exec(clause)?.groups;
  if (read?.word === undefined || read.rest === undefined) return clause;
  const whom = name.replace(/^Your /, 'My ');
  const isOwner = /^his$/i.test(read.word) || (/^her$/i.test(read.word) && read.short === undefined);
  if (isOwner) return `${whom}'s ${read.rest}`;
  return `${whom} ${read.short === undefined ? '' : 'is '}${read.rest}`;
}

/** A claim as a short sentence without its full stop. */
function sentenceOf({ subject, predicate, kind }: Claim): string {
  const text = `${subject} ${predicate}`.replaceAll(/\s+/g, ' ').trim();
  const short = kind === 'self' ? text.replace(/^I am /, 'I’m ').replace(/^We are /, 'We’re ') : text;
  return short.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
