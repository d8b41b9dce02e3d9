import { LIVES, WORKS } from '../slots.ts';
import { statementsOf } from '../statements.ts';
import { anyReplaces } from '../supersede.ts';
import { readWord, wordsOf } from '../words.ts';
import { endsEarlier } from './endings.ts';
import { claimsIn } from './find-facts.ts';
import { isRelation } from './subjects.ts';

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
/** Words before what it lives in or works as. */
const ALREADY = '(?:(?:am|is|are|have|has|now|just|also|still|currently|recently|been) )*';
const SLOTS: readonly [string, RegExp][] = [
  ['home', new RegExp(`^${ALREADY}${LIVES}`, 'iu')],
  ['work', new RegExp(`^${ALREADY}${WORKS}`, 'iu')],
  ['diet', /\b(?:vegetarian|vegan|pescatarian|flexitarian|omnivore|meat)\b/i],
  ['partner', /\b(?:single|dating|married|divorced|separated|engaged|widowed)\b/i],
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
const PREFERS = /\bprefers?\b/i;
const EMPTY = new Set(
  'now actually instead longer anymore more any again still also just really currently recently is am are was were be been has have had do does don doesn t not no never'.split(
    ' ',
  ),
);

/** Reads a fact; `nameOf` gives the name behind “my sister”, if there is one. */
export function readFact(text: string, nameOf: (relation: string) => string | undefined = () => undefined): ReadFact {
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

/** Whether two facts say the same. */
export function sameFact(a: ReadFact, b: ReadFact): boolean {
  if (a.subject !== b.subject || a.negated !== b.negated) return false;
  if (isSameSet(a.stems, b.stems)) return true;
  // “I moved to Porto” and “I live in Porto”.
  return (
    a.slot !== undefined &&
    a.slot === b.slot &&
    a.slot !== 'likes' &&
    a.slot !== 'dislikes' &&
    isSameSet(objectOf(a), objectOf(b))
  );
}

/** Whether a later fact makes an earlier one untrue. In doubt it does not. */
export function replacesFact(now: ReadFact, then: ReadFact): boolean {
  const ended = endsEarlier(now.text, { text: then.text, isWork: then.subject === 'self' && then.slot === 'work' });
  if (ended !== undefined) return ended;
  if (now.subject !== then.subject)
    return now.subject !== 'self' && then.subject !== 'self' ? false : changesOther(now, then);
  if (sameFact(now, then)) return false;
  if (isDenied(now, then)) return true;
  const [one, other] = [now.slot, then.slot];
  if (one !== undefined && other !== undefined) {
    // “I prefer long answers”, after “I prefer short answers”.
    if (one === 'likes' && PREFERS.test(now.text) && PREFERS.test(then.text))
      return shared(objectOf(now), objectOf(then));
    if (one === other) return one !== 'likes' && one !== 'dislikes' && objectOf(now).size > 0;
    if (one.endsWith('likes') && other.endsWith('likes')) return overlap(objectOf(now), objectOf(then));
  }
  return anyReplaces(statementsOf(now.text), statementsOf(then.text));
}

/** “We moved our deploy day to Tuesday”, after “Our deploy day is Thursday”. */
const changesOther = (now: ReadFact, then: ReadFact) =>
  /^(?:i|we)\b/i.test(now.text) && anyReplaces(statementsOf(now.text), statementsOf(then.text));

/** “I am not allergic to nuts any more”, after “I am allergic to nuts”. */
function isDenied(now: ReadFact, then: ReadFact): boolean {
  if (now.negated === then.negated) return false;
  const [small, large] =
    now.stems.size < then.stems.size ? [objectOf(now), objectOf(then)] : [objectOf(then), objectOf(now)];
  return small.size > 0 && [...small].every((stem) => large.has(stem));
}

const VERBS = new Set(
  'live lives lived living resid base move relocat settl work start job stop quit gave give go goe becom call name turn year old like love enjoi ador prefer hate dislik detest loath avoid can stand want eat'
    .split(' ')
    .map((word) => readWord(word).stem),
);
const objectOf = ({ stems }: ReadFact) => new Set([...stems].filter((stem) => !VERBS.has(stem)));
const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a.size > 0 && b.size > 0 && (isWithin(a, b) || isWithin(b, a));
const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((x) => b.has(x));
const isWithin = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].every((x) => b.has(x));
const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>) => a.size === b.size && isWithin(a, b);

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
