import { stemOf } from '../stems.ts';
import { isEndOf } from './endings.ts';
import type { Statement } from './statement.ts';

const PREFERS = /\bprefers?\b/i;

/** Whether two statements say the same. */
export function saysSame(a: Statement, b: Statement): boolean {
  if (a.subject !== b.subject || a.negated !== b.negated) return false;
  if (isSameSet(a.stems, b.stems)) return true;
  // “I moved to Porto” and “I live in Porto”.
  return a.slot !== undefined && a.slot === b.slot && !isTaste(a) && isSameSet(objectOf(a), objectOf(b));
}

/**
 * Whether a person's later statement makes an earlier one untrue: the one place that decides it, for recall, facts and the offline model.
 * When both may be true, it does not.
 */
export function replaces(now: Statement, then: Statement): boolean {
  const { ending } = now;
  if (ending === 'job') return then.subject === 'self' && then.slot === 'work';
  if (ending !== undefined) return then.things.some((thing) => isEndOf(ending, thing));
  const isSame = now.subject === then.subject;
  if (isSame && saysSame(now, then)) return false;
  if (isSame && (isDenied(now, then) || fillsSlot(now, then) || ends(now, then))) return true;
  return changes(now, then);
}

/** Whether one of the later statements replaces one of the earlier. */
export const anyReplaces = (later: Statement[], earlier: Statement[]): boolean =>
  later.some((now) => earlier.some((then) => replaces(now, then)));

const isTaste = ({ slot }: Statement) => slot === 'likes' || slot === 'dislikes';

/** “I am not allergic to nuts any more”, after “I am allergic to nuts”. */
function isDenied(now: Statement, then: Statement): boolean {
  if (now.negated === then.negated) return false;
  const [small, large] =
    now.stems.size < then.stems.size ? [objectOf(now), objectOf(then)] : [objectOf(then), objectOf(now)];
  return small.size > 0 && isWithin(small, large);
}

/** A new home, employer or partner replaces the old one. */
function fillsSlot(now: Statement, then: Statement): boolean {
  if (now.slot === undefined || then.slot === undefined) return false;
  const [one, other] = [objectOf(now), objectOf(then)];
  // “I prefer long answers”, after “I prefer short answers”.
  if (now.slot === 'likes' && PREFERS.test(now.text) && PREFERS.test(then.text))
    return [...one].some((stem) => other.has(stem));
  if (now.slot === then.slot) return !isTaste(now) && one.size > 0;
  return (
    isTaste(now) && isTaste(then) && one.size > 0 && other.size > 0 && (isWithin(one, other) || isWithin(other, one))
  );
}

/** “I stopped smoking”, after “I smoke”. */
function ends(now: Statement, then: Statement): boolean {
  if (now.ended.size === 0 || then.ended.size > 0) return false;
  return isWithin(now.ended, new Set([...then.about, ...then.value]));
}

/** “The exam was postponed to Monday”, after “The exam is on Thursday”. */
function changes(now: Statement, then: Statement): boolean {
  const shared = [...then.about].filter((stem) => now.about.has(stem));
  const covered = shared.length > 0 && shared.length === Math.min(then.about.size, now.about.size);
  return now.changes && covered && differInKind(now, then);
}

/** Both give a date or a number, but not the same; or neither does. */
const differInKind = (now: Statement, then: Statement): boolean =>
  now.value.size > 0 && then.value.size > 0 && !isSameSet(now.value, then.value) && now.isTime === then.isTime;

const VERBS = new Set(
  'live lives lived living resid base move relocat settl work start job stop quit gave give go goe becom call name turn year old like love enjoi ador prefer hate dislik detest loath avoid can stand want eat'
    .split(' ')
    .map((word) => stemOf(word)),
);
const objectOf = ({ stems }: Statement) => new Set([...stems].filter((stem) => !VERBS.has(stem)));
const isWithin = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].every((x) => b.has(x));
const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>) => a.size === b.size && isWithin(a, b);
