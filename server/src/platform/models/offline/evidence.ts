import { TIME } from '../../language/dates.ts';
import { clausesOf } from '../../language/facts/clauses.ts';
import { anyReplaces } from '../../language/facts/replaces.ts';
import { couldReplace, namesIn, statementsOf } from '../../language/facts/statement.ts';
import { keepRecent } from '../../language/recent.ts';
import { stemOf } from '../../language/stems.ts';
import type { Sentence } from './sources.ts';
import { isEnglish, likeness, stemsOf } from './words.ts';

/** The share of the question's weight that a sentence must match; learned on bench/questions/offline.json. */
const ENOUGH = 0.45;
/** What a word that no sentence contains counts where related words aren't known: there it may be another word for the same. */
const MISSING = 0.35;
/** A second sentence is shown only when it is nearly as good as the first. */
const NEARLY = 0.85;
const AT_MOST = 3;
/** Two sentences that share so many of their words are on the same matter. */
const SAME_MATTER = 0.5;
const PAST = /\bused to\b|\bno longer\b|\bany ?more\b/i;
const PAST_SHARE = 0.8;
const RECALL_SHARE = 0.04;
const WITHOUT_THE_NAME = 0.6;
/** They say what kind of answer is wanted. */
const KIND_WORDS = new Set(stemsOf('time day daily date year old number'));

interface Candidate {
  sentence: Sentence;
  score: number;
}

interface Finding extends Candidate {
  /** Older sentences about the same thing that this one replaces. */
  replaces: Sentence[];
}

/** The sentences that answer a question, best first; empty when none matches well enough. */
export function findEvidence(question: string, sentences: Sentence[]): Finding[] {
  const kind = kindOf(question);
  const matter = matterOf(question, kind);
  if (matter.length === 0) return [];
  const aboutAgent = /\b(?:you|your|yours)\b/i.test(question);
  const usable = sentences.filter(({ source }) => source.by !== 'prompt' || aboutAgent);
  const people = namesIn(usable.flatMap(({ text }) => (/\b(?:my|our)\b/i.test(text) ? clausesOf(text) : [])));
  const aliases = aliasesIn(people);
  const stems = usable.map(({ text }) => stemsOf(text).flatMap((word) => [word, ...(aliases.get(word) ?? [])]));
  const missing = isEnglish(question) ? 1 : MISSING;
  const weights = matter.map((word) => weigh(word, stems, missing));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const focus = focusOf(question);
  const names = namedIn(question);
  // If a person in the question is mentioned anywhere, a sentence without them is about something else.
  const nouns = matter.filter((word) => names.has(word) && stems.some((sentence) => sentence.includes(word)));
  const scored = usable.map((sentence, index) => {
    const met = matter.map((word) => best(word, stems[index] ?? []));
    const weight = met.reduce((sum, share, at) => sum + share * (weights[at] ?? 0), 0);
    const fits = answersKind(kind, sentence.text);
    const factor =
      (fits === 'yes' ? 1.15 : fits === 'no' ? 0.4 : 1) *
      trust(sentence) *
      (nouns.every((word) => best(word, stems[index] ?? []) > 0) ? 1 : WITHOUT_THE_NAME);
    const beside = met.some((share) => share === 0);
    const thin = beside && matter.every((word, at) => met[at] === 0 || word === focus || names.has(word));
    return {
      sentence,
      score: thin ? 0 : (weight / total) * factor + RECALL_SHARE * sentence.recall * Number(weight > 0),
    };
  });
  return choose(
    scored.filter((candidate) => candidate.score >= ENOUGH),
    newestFinder(
      scored.filter(({ score, sentence }) => score > 0 || couldReplace(sentence.text)),
      people,
    ),
  );
}

/** After “my husband Tom”, the stems of “husband” and “Tom” mean the same person. */
function aliasesIn(people: ReadonlyMap<string, string>): Map<string, string> {
  const pairs = [...people].map(([relation, name]) => [stemOf(relation), stemOf(name.toLowerCase())] as const);
  return new Map(
    pairs.flatMap(([relation, name]) => [
      [relation, name],
      [name, relation],
    ]),
  );
}

/** The subject of a question, without the words that only say what kind of answer is wanted. */
function matterOf(question: string, kind: QuestionKind): string[] {
  const all = stemsOf(question);
  const matter = all.filter((word) => kind === 'any' || !KIND_WORDS.has(word));
  return matter.length === 0 ? all : matter;
}

/** “What colour is the bedroom?”: a sentence about a colour alone misses the point. */
function focusOf(question: string): string | undefined {
  const noun = /\b(?:what|which|how|whose)\s+([\p{L}-]+)/iu.exec(question)?.[1];
  return noun === undefined ? undefined : stemsOf(noun)[0];
}

/** Names say whom a question is about, never what it asks. */
function namedIn(question: string): Set<string> {
  return new Set([...question.matchAll(/(?<=\S\s)\p{Lu}[\p{L}'’-]+/gu)].flatMap(([name]) => stemsOf(name)));
}

/** Rare words weigh more. A word that no sentence contains weighs most, times `missing`: the question is about something else. */
function weigh(word: string, stems: string[][], missing: number): number {
  const count = stems.filter((sentence) => best(word, sentence) >= 0.7).length;
  return count === 0 ? missing * Math.log(5 + stems.length) : Math.log(1 + (stems.length + 4) / count);
}

const best = (word: string, sentence: string[]) =>
  sentence.reduce((top, other) => Math.max(top, likeness(word, other)), 0);

/** The person's statements count most; an agent's earlier answer may have been wrong. */
const trust = ({ source }: Sentence) => (source.by === 'agent' ? 0.75 : source.by === 'prompt' ? 0.85 : 1);

/** The best of them, those that a later sentence made untrue behind it. */
function choose(candidates: Candidate[], newest: (sentence: Sentence) => Sentence): Finding[] {
  const ranked = candidates.toSorted((a, b) => rankOf(b) - rankOf(a));
  const findings: Finding[] = [];
  for (const { sentence, score } of ranked) {
    const current = newest(sentence);
    const older = current === sentence ? [] : [sentence];
    const same = findings.find((finding) => finding.sentence === current);
    if (same !== undefined) same.replaces.push(...older);
    else if (findings.length === 0 || (score >= (findings[0]?.score ?? 0) * NEARLY && findings.length < AT_MOST)) {
      const after = findings.findIndex((finding) => isNewerOn(current, finding.sentence));
      findings.splice(after < 0 ? findings.length : after, 0, { sentence: current, score, replaces: older });
    }
  }
  return findings;
}

/** Whether a sentence is a newer one on the same matter, which therefore counts more. */
function isNewerOn(one: Sentence, other: Sentence): boolean {
  const [now, then] = [stemsOf(one.text), stemsOf(other.text)];
  const common = now.filter((word) => then.includes(word)).length;
  const isSame = common >= 2 && common >= SAME_MATTER * Math.min(now.length, then.length);
  return isSame && one.order > other.order && !PAST.test(one.text);
}

/** “I used to live in Rome” answers after what is true today. */
const rankOf = ({ sentence, score }: Candidate) => (PAST.test(sentence.text) ? score * PAST_SHARE : score);

/** Finds the latest sentence that makes one untrue; the sentence itself where none does. */
function newestFinder(candidates: Candidate[], people: ReadonlyMap<string, string>) {
  const own = candidates
    .map(({ sentence }) => sentence)
    .filter(({ source }) => source.by === 'person' || source.by === 'fact');
  const read = keepRecent(own.length + 1, (text) => statementsOf(text, (relation) => people.get(relation)));
  return (sentence: Sentence): Sentence =>
    own.reduce(
      (latest, one) => (one.order > latest.order && anyReplaces(read(one.text), read(sentence.text)) ? one : latest),
      sentence,
    );
}

type QuestionKind = 'when' | 'where' | 'who' | 'amount' | 'age' | 'why' | 'any';

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

function kindOf(question: string): QuestionKind {
  // The first kind decides: “Who owns the place where we stay?” asks for a person.
  const kinds = ASKING.map(([kind, pattern]) => ({ kind, at: question.search(pattern) })).filter(({ at }) => at >= 0);
  return kinds.toSorted((a, b) => a.at - b.at)[0]?.kind ?? 'any';
}

/** Whether a sentence contains what the question asks for; `open` when that can't be decided. */
function answersKind(kind: QuestionKind, text: string): 'yes' | 'no' | 'open' {
  const tests = { when: TIME, where: PLACE, who: PERSON, amount: NUMBER, age: AGE, why: REASON };
  if (kind === 'any') return 'open';
  if (tests[kind].test(text)) return 'yes';
  return kind === 'why' || kind === 'where' ? 'open' : 'no';
}
