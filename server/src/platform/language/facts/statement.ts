import { dropEnd } from '../../trim.ts';
import { MONTHS, WEEKDAYS } from '../dates.ts';
import { hasQuestionMark, sentencesOf } from '../sentences.ts';
import { slotIn, slotOf } from '../slots.ts';
import { stemOf } from '../stems.ts';
import { wordsOf } from '../words.ts';
import { clausesOf } from './clauses.ts';
import { type Ending, endingIn, type Thing, thingsIn } from './endings.ts';
import { claimsIn } from './find-facts.ts';
import { isRelation } from './people.ts';
import type { Claim } from './read-claim.ts';

/** What one sentence of a person claims, as far as a few rules can see. */
export interface Statement {
  text: string;
  /** Whom or what it is about: `self`, a name, or the stems of a thing. */
  subject: string;
  /** An attribute that has one value at a time, such as a home or an employer. */
  slot: string | undefined;
  negated: boolean;
  /** The stems of what it says, without the subject's. */
  stems: ReadonlySet<string>;
  /** The stems of its topic, without the value. */
  about: ReadonlySet<string>;
  /** The stems of its value: a date, a number, a name, what follows “is”. */
  value: ReadonlySet<string>;
  /** Whether a date or a number is among them. */
  isTime: boolean;
  /** A word says that something has changed. */
  changes: boolean;
  /** The stems of what has ended: “I stopped smoking”. */
  ended: ReadonlySet<string>;
  /** What the person has no longer: “I sold the Golf”. */
  ending: Ending | undefined;
  /** What the person has: “I drive a Golf”. */
  things: readonly Thing[];
}

type NameOf = (relation: string) => string | undefined;
const NOBODY: NameOf = () => undefined;

const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}'’.:@,-]*/gu;
/** Not a fact of today. */
const UNREAL =
  /\b(if|might|may|could|would|wouldn't|should|want|wants|wish|hope|plan to|planning|thinking (of|about)|maybe|perhaps|dream|used to|was born|grew up|as a (child|kid|student|boy|girl)|when i was|next to|didn't|did not|won't|will not|not gonna|not going to|cannot|can't|don't ever|almost|nearly|never)\b/i;

const CHANGE =
  /\bnow\b(?! and then)|\b(these days|instead|no longer|any ?more|from now on|actually|meanwhile|again|changed|moved|postponed|rescheduled|delayed|brought forward|switched|raised|lowered|increased|reduced|cut|went (up|down)|(a|my|our|the) new|replaced|renamed|corrected?)\b/i;
const ENDING =
  /\b(stopped|quit|quitted|gave up|given up|no longer|got rid of|sold|left|cancelled|canceled|called off|lost (?:my|our|the)|broke up with|ended(?! up)|finished with)\b/i;
/** Followed by “any more”, this ends something too. */
const NOT = /\b(?:don't|do not|doesn't|does not|am not|isn't|aren't)\b/i;
const ANY_MORE = /\bany ?more\b/i;
const CALLED_OFF = /\b(?:was|is|were|has been|got|have been) (?:cancelled|canceled|called off|sold|stolen|over)\b/i;

const STOP = new Set(
  `a an the this that these those i i'm i've we we're we've me us my our mine you your he she it they his her its their is are was were be been being am has have had having do
  does did don't will shall in on at to of for with by from as about into and or but so too also just very really still already here there some any
  now new actually instead again longer anymore more days last next month week year today yesterday recently usually always currently called named name
  changed moved postponed rescheduled delayed switched raised lowered increased reduced went replaced stopped quit gave sold left cancelled canceled
  one old current leave leaves start starts begin begins cost costs go goes take place mr mrs ms dr`.split(/\s+/),
);
/** Also the parts of “don't” and “we've”: a statement without them and its denial say the same of the same thing. */
const NEGATION = new Set('not no never don doesn t s m ve re'.split(' '));
const SEASONS = ['spring', 'summer', 'autumn', 'fall', 'winter'];
const NUMBER =
  /^(\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|first|second|third|fourth|fifth|sixth)$/;
const COPULA =
  /\b(?:is|are|'s called|is called|are called|is named|has changed to|:)\b(?! (?:on|in|at|moved|postponed|going)\b)/i;

const NEGATED =
  /\b(?:not|no|never|none|cannot|no longer|neither|stopped|quit|gave up|without)\b|n['’]t\b|\bany ?more\b/i;
const SLOTS: readonly [string, RegExp][] = [
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
/** People whom somebody has one of at a time. */
const ONE_OF =
  'boss|manager|supervisor|team lead|landlord|landlady|doctor|gp|dentist|accountant|wife|husband|fianc[eé]e?|girlfriend|boyfriend';
const NAME = String.raw`(?<name>(?-i:\p{Lu})[\p{L}'’-]+(?: (?-i:\p{Lu})[\p{L}'’-]+)?)`;
/** “My boss is called Ada”, “Ada is my new boss”. */
const WHO = [
  new RegExp(`^(?:my|our) (?:new )?(?<role>${ONE_OF}) is (?:(?:now|called|named) )*${NAME}(?: now)?$`, 'iu'),
  new RegExp(`^${NAME} is (?:now )?(?:my|our) (?:new )?(?<role>${ONE_OF})(?: now)?$`, 'iu'),
];

/** Whether a text mentions a change or an end. */
export const tellsChange = (text: string) => CHANGE.test(text) || findEnding(text) !== undefined;

/** Where a text says that something has ended, and the length of those words. */
function findEnding(text: string): { at: number; length: number } | undefined {
  const not = NOT.exec(text);
  const more = not !== null && ANY_MORE.test(text.slice(not.index)) ? not : null;
  const matches = [ENDING.exec(text), more].filter((match) => match !== null);
  const first = matches.toSorted((a, b) => a.index - b.index)[0];
  return first && { at: first.index, length: first[0].length };
}

/** Whether a text mentions what could replace something, by a quick check that saves reading most texts. */
export const couldReplace = (text: string) =>
  tellsChange(text) || slotOf(text) !== undefined || /\b(?:stolen|over)\b|favou?rit/i.test(text);

/** The statements of a text about today, clause by clause; `nameOf` gives the name behind “my sister”, if there is one. */
export const statementsOf = (text: string, nameOf = NOBODY): Statement[] =>
  sentencesOf(text.slice(0, 1_000))
    .filter((sentence) => sentence.length > 3 && !hasQuestionMark(sentence) && !UNREAL.test(sentence))
    .flatMap((sentence) => {
      const clauses = clausesOf(sentence);
      // What has changed or ended is told by the whole sentence.
      const change = readChange(sentence);
      return (clauses.length === 0 ? [sentence] : clauses).map((clause) => ({
        ...readStatement(clause, nameOf),
        ...change,
      }));
    });

/** Reads one clause. */
export function readStatement(text: string, nameOf = NOBODY): Statement {
  const who = WHO.map((pattern) => pattern.exec(text)?.groups).find(Boolean);
  const rest = { ...readChange(text), ending: endingIn(text), things: thingsIn(text) };
  if (who?.role !== undefined && who.name !== undefined)
    return {
      text,
      ...rest,
      subject: `my ${who.role}`.toLowerCase(),
      slot: 'who',
      negated: false,
      stems: stemsOf(who.name),
    };
  const [claim] = claimsIn(text);
  const predicate = claim?.predicate ?? text;
  const subject = subjectOf(claim, text, nameOf);
  return {
    text,
    ...rest,
    subject,
    slot: slotOfClaim(claim, predicate),
    negated: NEGATED.test(predicate),
    stems: stemsOf(predicate),
  };
}

function slotOfClaim(claim: Claim | undefined, predicate: string): string | undefined {
  if (NAME_OF_SELF.test(claim?.subject ?? '')) return 'name';
  const slot = slotIn(predicate) ?? SLOTS.find(([, pattern]) => pattern.test(predicate))?.[0];
  const isOne = claim?.kind === 'thing' && IS.test(predicate) && SINGLE.test(claim.subject);
  return slot ?? (isOne ? 'value' : LIKES.find(([, pattern]) => pattern.test(predicate))?.[0]);
}

/** The topic of a sentence, its value, and what it says has changed or ended. */
function readChange(sentence: string): Pick<Statement, 'about' | 'value' | 'isTime' | 'changes' | 'ended'> {
  const copula = /^(?:i|we)\b/i.test(sentence) ? null : COPULA.exec(sentence);
  const head = sentence.slice(0, copula?.index).toLowerCase();
  const about = new Set<string>();
  const value = new Set<string>();
  let isTime = false;
  for (const [at, token] of tokensOf(sentence).entries()) {
    const word = token.toLowerCase();
    const time =
      WEEKDAYS.includes(word) ||
      MONTHS.includes(word) ||
      SEASONS.includes(word) ||
      NUMBER.test(word) ||
      word.includes('@');
    const isName = at > 0 && /^(?!I\b)\p{Lu}/u.test(token);
    if (time) isTime = true;
    if (time || isName) value.add(stemOf(word));
    if (STOP.has(word) || time) continue;
    if (copula !== null && !head.includes(word)) value.add(stemOf(word));
    else about.add(stemOf(word));
  }
  return { about, value, isTime, changes: CHANGE.test(sentence), ended: endedBy(sentence) };
}

const tokensOf = (text: string) =>
  [...text.matchAll(TOKEN)].map(([token]) => dropEnd(token.replace(/['’]s$/, ''), /[.:,'’-]/));

/** The stems of what a sentence says has ended, up to the next clause. */
function endedBy(sentence: string): ReadonlySet<string> {
  const calledOff = CALLED_OFF.exec(sentence);
  const ending = findEnding(sentence);
  const rest =
    calledOff !== null
      ? sentence.slice(0, calledOff.index)
      : ending === undefined
        ? ''
        : sentence.slice(ending.at + ending.length).split(/,|;|\band\b|\bin (?=[A-Z])|\b(?:because|since)\b/)[0];
  const stems = tokensOf(rest ?? '')
    .map((token) => token.toLowerCase())
    .filter((word) => !STOP.has(word) && !NUMBER.test(word));
  return new Set(stems.map((word) => stemOf(word)));
}

const NAME_OF_SELF = /^my (?:first |full )?name$/i;

function subjectOf(claim: Claim | undefined, text: string, nameOf: NameOf) {
  if (claim === undefined) return text.toLowerCase();
  if (claim.kind === 'self' || claim.subject === 'Call' || NAME_OF_SELF.test(claim.subject)) return 'self';
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
      .filter((word) => !STOP.has(word) && !NEGATION.has(word))
      .map((word) => stemOf(word)),
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
