import { BASE } from '../../language/irregular-words.ts';
import { UNSPACED } from '../../language/sentences.ts';
import { EMPTY_WORDS } from '../../language/words.ts';

/** Words without a subject of their own, in a question or an answer. */
const STOP = new Set([
  ...EMPTY_WORDS,
  ...`here don't doesn't didn't may must mine whose without down each every both few same yet tell know remember say said like
    going come make made take give thing things something anything someone kind sort type one's me's often want wants need needs
    use used using name named called call belong it's i'm we're they're he's she's what's who's where's when's how's let's enjoy
    current currently always never mrs mr dr`.split(/\s+/),
]);
// Questions often ask who owns something.
STOP.delete('own');

/** Small and general: the words of each line ask for or express the same thing. */
const SYNONYMS = `
avoid allergic allergy intolerant intolerance refuse dislike hate
cook food eat meal dish serve meat vegetarian vegan diet allergic allergy cream lactose dairy milk
money cost price spend euro dollar pound budget pay paid
salary wage
plane flight fly land arrive arrival
stay guesthouse hostel accommodation lodging
own owner
collect pick-up pickup fetch
hire rent rental
drive wheel driver licence license steer
boat ship sail seasick
disappoint disappointment ruin spoil bad wrong dense problem fail failed
child kid twin son daughter
small little tiny
husband spouse wife partner
grocery groceries shopping buy
temperature hot warm cold degree heat
previous last former earlier
lend borrow lent loan
return back
reach phone number telephone mail contact
old built born age
shut turn valve
detector alarm
paint colour color painted
study learn studying semester
exam test
deadline hand due
supervise supervisor supervised
again repeat
topic subject
plan become career ambition
present speak speaking presentation
client customer
ship release launch
password passcode code
afternoon lunch
leave absent work
colleague teammate
start begin
`;

const CONCEPT = new Map<string, string[]>();
for (const line of SYNONYMS.trim().split('\n')) {
  for (const word of line.split(' ')) CONCEPT.set(stem(word), [...(CONCEPT.get(stem(word)) ?? []), line]);
}

/** A stop word in any of its forms: “coming” says as little as “come”. */
const isStop = (word: string) =>
  STOP.has(word) || STOP.has(word.replace(/(?:ing|s|'s)$/, '')) || STOP.has(word.replace(/ing$/, 'e'));

/** Removes a word's ending: enough that “painted” matches “paint” and “batteries” matches “battery”. */
export function stem(word: string): string {
  const bare = word.replace(/(?<=\p{L})['’]s?$/u, '');
  let root = BASE.get(bare) ?? bare;
  if (root.length <= 3) return root;
  root = root
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/(?<![su])s$/, '');
  if (root.length > 5) root = root.replace(/(?:ing|ed|er|ly)$/, '');
  return root.replace(/([bdgklmnprt])\1$/, '$1').replace(/e$/, '');
}

/** Dislike is expressed in many ways that consist of stop words. */
const DISLIKE =
  /\b(?:don't|doesn't|didn't|do not|does not|did not|can't|cannot|can not|won't|never)\s+(?:\w+\s+){0,2}?(?:like|stand|enjoy|love)\b/g;

/** All words in lower case, with inner apostrophes and hyphens; pairs of signs where a script has no blanks. */
export function wordsOf(text: string): string[] {
  const words: string[] =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? [];
  return words.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : [word]));
}

const pairsOf = (word: string) =>
  Array.from({ length: Math.max(1, word.length - 1) }, (_, at) => word.slice(at, at + 2));

/** The distinct stems of the meaningful words. */
export function stemsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\bdon't (\w+ \w+) like\b/g, 'dislike $1')
    .replace(DISLIKE, ' dislike ');
  const kept = wordsOf(plain).filter((word) => !isStop(word) && (word.length > 1 || /\p{N}/u.test(word)));
  return [...new Set(kept.map(stem))];
}

/** From 0 to 1: how well a word of the answer matches a word of the question. */
export function likeness(asked: string, told: string): number {
  if (asked === told) return 1;
  const shared = CONCEPT.get(asked);
  if (shared?.some((line) => CONCEPT.get(told)?.includes(line))) return 0.85;
  const shorter = Math.min(asked.length, told.length);
  return shorter >= 5 && asked.slice(0, shorter) === told.slice(0, shorter) ? 0.7 : 0;
}
