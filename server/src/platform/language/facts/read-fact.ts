import { PREDICATES } from '../slots.ts';
import { readWord, wordsOf } from '../words.ts';
import { claimsIn } from './find-facts.ts';
import { isRelation } from './relations.ts';

/** A fact as far as it takes to tell whether another one repeats or replaces it. */
export interface ReadFact {
  text: string;
  /** Whom or what it is about: `self`, a name, or the stems of a thing. */
  subject: string;
  /** An attribute that has one value at a time. */
  slot: string | undefined;
  negated: boolean;
  /** The stems of what it says, without the subject's. */
  stems: ReadonlySet<string>;
}

const NEGATED =
  /\b(?:not|no|never|none|cannot|no longer|neither|stopped|quit|gave up|without)\b|n['’]t\b|\bany ?more\b/i;
const SLOTS: readonly [string, RegExp][] = [
  ...PREDICATES,
  ['age', /\b\d{1,3} years? old\b|^(?:(?:am|is|are|now|just) )*(?:turned |turns )?\d{1,3}$/i],
  ['name', /^(?:(?:am|is|are) (?:called|named)|go by|goes by|me\b)/i],
];
/** Things that have one value at a time. */
const SINGLE =
  /\b(?:favou?rite|rule|convention|password|passcode|code|pin|name|address|day|date|time|deadline|birthday|colou?r|number|email|phone|wi-?fi|size|stand-?up|meeting|release|launch|appointment|exam|flight|wedding|party|rent|budget|job|boss|manager|landlord|doctor|dentist|indentation|language|goal|team|office|style)\b/i;
const IS =
  /^(?:is|are|was|were|isn['’]t|aren['’]t|starts?|begins?|ends?|leaves?|takes place|falls?|will be|has (?:moved|changed)|(?:has been |was )?(?:moved|changed|postponed|rescheduled|renamed)|moved|changed|costs?)\b/i;
const LIKES: readonly [string, RegExp][] = [
  ['likes', /^(?:really |also |now |still )*(?:likes?|loves?|enjoys?|adores?|prefers?)\b/i],
  [
    'dislikes',
    /^(?:really |also |now |still )*(?:hates?|dislikes?|detests?|loathes?|avoids?|(?:can['’]t|cannot) stand|(?:don['’]t|doesn['’]t|do not|does not|no longer) (?:really )?(?:like|love|enjoy|want))\b/i,
  ],
];
const EMPTY = new Set(
  'now actually instead longer anymore more any again still also just really currently recently is am are was were be been has have had do does don doesn t not no never'.split(
    ' ',
  ),
);

/** People whom somebody has one of at a time. */
const ONE_OF =
  'boss|manager|supervisor|team lead|landlord|landlady|doctor|gp|dentist|accountant|wife|husband|fianc[eé]e?|girlfriend|boyfriend';
const NAME = String.raw`(?<name>(?-i:\p{Lu})[\p{L}'’-]+(?: (?-i:\p{Lu})[\p{L}'’-]+)?)`;
/** “My boss is called Ada”, “Ada is my new boss”. */
const WHO = [
  new RegExp(`^(?:my|our) (?:new )?(?<role>${ONE_OF}) is (?:(?:now|called|named) )*${NAME}(?: now)?$`, 'iu'),
  new RegExp(`^${NAME} is (?:now )?(?:my|our) (?:new )?(?<role>${ONE_OF})(?: now)?$`, 'iu'),
];

/** Reads a fact; `nameOf` gives the name behind “my sister”, if there is one. */
export function readFact(text: string, nameOf: (relation: string) => string | undefined = () => undefined): ReadFact {
  const who = WHO.map((pattern) => pattern.exec(text)?.groups).find(Boolean);
  if (who?.role !== undefined && who.name !== undefined)
    return { text, subject: `my ${who.role}`.toLowerCase(), slot: 'who', negated: false, stems: stemsOf(who.name) };
  const [claim] = claimsIn(text);
  const predicate = claim?.predicate ?? text;
  const subject = subjectOf(claim, text, nameOf);
  const slot = SLOTS.find(([, pattern]) => pattern.test(predicate))?.[0];
  const isOne = claim?.kind === 'thing' && IS.test(predicate) && SINGLE.test(claim.subject);
  const likes = LIKES.find(([, pattern]) => pattern.test(predicate))?.[0];
  const stems = stemsOf(predicate);
  return {
    text,
    subject,
    slot: isNameOf(claim?.subject, subject) ? 'name' : (slot ?? (isOne ? 'value' : likes)),
    negated: NEGATED.test(predicate),
    stems,
  };
}

const isNameOf = (written: string | undefined, subject: string) =>
  subject === 'self' && /^my (?:first |full )?name$/i.test(written ?? '');

function subjectOf(
  claim: ReturnType<typeof claimsIn>[number] | undefined,
  text: string,
  nameOf: (relation: string) => string | undefined,
) {
  if (claim === undefined) return text.toLowerCase();
  if (claim.kind === 'self' || claim.subject === 'Call' || /^my (?:first |full )?name$/i.test(claim.subject))
    return 'self';
  if (claim.kind === 'person') {
    const relation = claim.about.replace(/^Your /, '').toLowerCase();
    const name = (claim.about.startsWith('Your ') ? nameOf(relation) : undefined) ?? claim.about;
    // “Nora's birthday” is another matter than Nora herself.
    const at = claim.subject.search(/['’]s? /u);
    const owned = at < 0 ? undefined : claim.subject.slice(claim.subject.indexOf(' ', at));
    return owned === undefined ? name.toLowerCase() : `${name.toLowerCase()} ${[...stemsOf(owned)].join(' ')}`;
  }
  return [...stemsOf(claim.subject)].toSorted().join(' ');
}

const stemsOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter(
        (word) =>
          !EMPTY.has(word) &&
          !/^(?:a|an|the|my|our|i|we|me|to|of|in|on|at|for|as|and|with|it|this|that|s|m|ve|re|very|so)$/.test(word),
      )
      .map((word) => readWord(word).stem),
  );

/** Who is who in these facts: “My sister Nora …” tells the name of “my sister”. */
export function namesIn(texts: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const text of texts) {
    const [claim] = claimsIn(text);
    if (claim?.kind !== 'person') continue;
    const relation = claim.subject
      .split(' ')
      .find((word) => isRelation(word))
      ?.toLowerCase();
    const reversed = /\b(?:my|our) (?<what>[\p{L}-]+)$/iu.exec(claim.predicate)?.groups?.what?.toLowerCase();
    const [of, name] = reversed === undefined ? [relation, claim.about] : [reversed, claim.about];
    if (of !== undefined && isRelation(of) && name !== undefined && !name.startsWith('Your ')) names.set(of, name);
  }
  return names;
}
