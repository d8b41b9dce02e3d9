import { statementsOf } from '../statements.ts';
import { anyReplaces } from '../supersede.ts';
import { readWord } from '../words.ts';
import { endsEarlier } from './endings.ts';
import type { ReadFact } from './read-fact.ts';

const PREFERS = /\bprefers?\b/i;

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
