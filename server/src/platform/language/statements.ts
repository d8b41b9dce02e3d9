import { dropEnd } from '../trim.ts';
import { MONTHS, WEEKDAYS } from './dates.ts';
import { hasQuestionMark, sentencesOf } from './sentences.ts';
import { type Slot, slotOf } from './slots.ts';
import { readWord } from './words.ts';

const stemOf = (word: string) => readWord(word).stem;

/** What one sentence of a person claims, as far as a few rules can see. */
export interface Statement {
  /** Whether the person speaks about themselves. */
  self: boolean;
  /** The stems of its subject, without the value. */
  about: ReadonlySet<string>;
  /** The stems of its value: a date, a number, a name, what follows “is”. */
  value: ReadonlySet<string>;
  /** The kinds of value among them. */
  kinds: ReadonlySet<ValueKind>;
  /** A single-valued concept, such as a home or an employer. */
  slot: Slot | undefined;
  /** A word says that something has changed. */
  changes: boolean;
  /** The stems of what has ended: “I sold the Golf”. */
  ended: ReadonlySet<string>;
}

type ValueKind = 'number' | 'weekday' | 'month' | 'name';

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

const SELF =
  /^(?:(?:actually|well|so|oh|yes|no|by the way|from now on|these days|last \w+|since \w+|in \w+|now)[, ]+)*(?:i|i'm|i've|i’m|i’ve|we|we're|we've)\b|\band i\b/i;

const STOP = new Set(
  `a an the this that these those i i'm i've we we're we've me us my our mine you your he she it they his her its their is are was were be been being am has have had having do
  does did don't will shall in on at to of for with by from as about into and or but so too also just very really still already here there some any
  now new actually instead again longer anymore more days last next month week year today yesterday recently usually always currently called named name
  changed moved postponed rescheduled delayed switched raised lowered increased reduced went replaced stopped quit gave sold left cancelled canceled
  one old current leave leaves start starts begin begins cost costs go goes take place mr mrs ms dr`.split(/\s+/),
);
const SEASONS = ['spring', 'summer', 'autumn', 'fall', 'winter'];
const NUMBER =
  /^(\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|first|second|third|fourth|fifth|sixth)$/;
const COPULA =
  /\b(?:is|are|'s called|is called|are called|is named|has changed to|:)\b(?! (?:on|in|at|moved|postponed|going)\b)/i;

/** Whether a text mentions a change or an end. */
export const tellsChange = (text: string) => CHANGE.test(text) || findEnding(text) !== undefined;

/** Where a text says that something has ended, and the length of those words. */
function findEnding(text: string): { at: number; length: number } | undefined {
  const not = NOT.exec(text);
  const more = not !== null && ANY_MORE.test(text.slice(not.index)) ? not : null;
  const found = [ENDING.exec(text), more].filter((match) => match !== null);
  const first = found.toSorted((a, b) => a.index - b.index)[0];
  return first && { at: first.index, length: first[0].length };
}

/** Whether a statement of this text could replace another: a quick check that saves parsing most texts. Never false when one does. */
export const couldReplace = (text: string) =>
  tellsChange(text) || slotOf(text) !== undefined || /\b(?:stolen|over)\b|favou?rit/i.test(text);

/** The statements of a text, one for each sentence that states a fact of today. */
export function statementsOf(text: string): Statement[] {
  return sentencesOf(text.slice(0, 1_000))
    .filter((sentence) => sentence.length > 3 && !hasQuestionMark(sentence) && !UNREAL.test(sentence))
    .map(readStatement);
}

function readStatement(sentence: string): Statement {
  const self = SELF.test(sentence);
  const copula = self ? null : COPULA.exec(sentence);
  const head = copula === null ? sentence : sentence.slice(0, copula.index);
  const about = new Set<string>();
  const value = new Set<string>();
  const kinds = new Set<ValueKind>();
  for (const [at, token] of tokensOf(sentence).entries()) {
    const word = token.toLowerCase();
    const kind = kindOf(token, word, at);
    if (kind !== undefined) {
      kinds.add(kind);
      value.add(stemOf(word));
    }
    if (STOP.has(word) || (kind !== undefined && kind !== 'name')) continue;
    if (copula !== null && !head.toLowerCase().includes(word)) value.add(stemOf(word));
    else about.add(stemOf(word));
  }
  return {
    self,
    about,
    value,
    kinds,
    slot: slotOf(sentence),
    changes: CHANGE.test(sentence),
    ended: endedBy(sentence),
  };
}

const tokensOf = (text: string) =>
  [...text.matchAll(TOKEN)].map(([token]) => dropEnd(token.replace(/['’]s$/, ''), /[.:,'’-]/));

function kindOf(token: string, word: string, at: number): ValueKind | undefined {
  if (WEEKDAYS.includes(word)) return 'weekday';
  if (MONTHS.includes(word) || SEASONS.includes(word)) return 'month';
  if (NUMBER.test(word) || word.includes('@')) return 'number';
  return at > 0 && /^\p{Lu}/u.test(token) && !/^I\b/.test(token) ? 'name' : undefined;
}

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
  return new Set(stems.map(stemOf));
}
