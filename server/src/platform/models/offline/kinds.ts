import { TIME } from '../../language/dates.ts';

export type QuestionKind = 'when' | 'where' | 'who' | 'amount' | 'age' | 'why' | 'any';

const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|dozen|half|couple)\b/i;
const AGE =
  /\b(?:years?|old|aged?|born|birthday|built|1[5-9]\d\d|20\d\d|(?:is|are|turned|turns) (?:\d{1,3}|six|seven|eight|nine|ten))\b/i;
const PLACE =
  /\b(?:in|at|behind|under|above|near|next to|on|upstairs|downstairs|beside|inside|outside|from|to|across|opposite)\b/i;
const REASON = /\b(?:because|since|so|due to|reason|by|after|therefore|in order|to avoid)\b/i;
/** A capital letter inside a sentence, or a word for a person. */
const PERSON =
  /(?<=\S\s)\p{Lu}\p{L}+|^\p{Lu}\p{L}+ (?:is|has|was|agreed|wants|told|prefers)|\b(?:he|she|they|neighbou?r|sister|brother|mother|father|wife|husband|friend|boss|doctor|owner)\b/u;

const ASKING: [QuestionKind, RegExp][] = [
  ['age', /\bhow old\b/i],
  ['when', /\b(?:when|what time|what day|which day|what date|which date|deadline|how soon)\b/i],
  ['amount', /\bhow (?:many|much|long|far|big|tall|often)\b/i],
  ['where', /\bwhere\b/i],
  ['who', /\bwho(?:m|se|'s)?\b/i],
  ['why', /\bwhy\b|\breason\b/i],
];

/** What kind of thing a question asks for. */
export function kindOf(question: string): QuestionKind {
  // The first kind decides: “Who owns the place where we stay?” asks for a person.
  const found = ASKING.map(([kind, pattern]) => ({ kind, at: question.search(pattern) })).filter(({ at }) => at >= 0);
  if (found.length > 0) return found.reduce((first, other) => (other.at < first.at ? other : first)).kind;
  return 'any';
}

/** Whether a sentence contains what the question asks for; `open` when that can't be decided. */
export function answersKind(kind: QuestionKind, text: string): 'yes' | 'no' | 'open' {
  const tests = { when: TIME, where: PLACE, who: PERSON, amount: NUMBER, age: AGE, why: REASON };
  if (kind === 'any') return 'open';
  if (tests[kind].test(text)) return 'yes';
  return kind === 'why' || kind === 'where' ? 'open' : 'no';
}
