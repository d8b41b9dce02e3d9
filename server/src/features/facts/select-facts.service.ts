import {
  repetitionFinder,
  sentenceFinder,
  withoutSentences,
  wordsAlone,
  wordsFinder,
} from '../../platform/language/facts/overrule.ts';
import { readSentences, sentencesOf } from '../../platform/language/sentences.ts';
import { stemsOf } from '../../platform/language/words.ts';
import { countTokens } from '../../platform/models/tokens.ts';
import type { RecalledItem } from '../memory/memory.service.ts';
import type { FactsForRun } from './run-facts.service.ts';

/** The share of the budget for memory that facts may take. */
const SHARE = 0.25;
/** How many facts go with a message, and how many of them although it asks for something else. */
const FACTS_MAX = 12;
const UNASKED_MAX = 4;
/** The date and whom it is about are sent with the words. */
const FRAME_TOKENS = 12;

/** What a run gets of an agent's facts. */
export interface SelectedFacts {
  facts: RecalledItem[];
  /** What was recalled, without what the facts state and without what the person has overruled. */
  passages: RecalledItem[];
  /** Sentences that the person has corrected or asked to forget. */
  overruled: string[];
}

/** How many tokens facts may take, for the conversation to leave them. */
export const factsRoom = (facts: readonly FactsForRun[], tokens: number): number =>
  facts.length === 0 ? 0 : Math.floor(tokens * SHARE);

/**
 * Puts the facts that fit a question before the passages of talk: pinned ones first, then those that share words with it, then the newest.
 * Passages lose the sentences that a fact states or that the person has overruled. Facts that one of `exchanges` (those in the prompt)
 * holds already are left out, unless they were corrected.
 */
export function selectFacts(
  facts: readonly FactsForRun[],
  recalled: readonly RecalledItem[],
  selection: { question: string; exchanges: ReadonlySet<string>; tokens: number; without: readonly string[] },
): SelectedFacts {
  const overruled = facts.flatMap(overruledSentence);
  const passages = withoutOverruled(recalled, overruled);
  const pinned = passages.filter((item) => item.pinned);
  const fitting = facts.filter(
    ({ id, memoryId, exchange, state, corrected }) =>
      state === 'current' &&
      !selection.without.includes(id) &&
      !selection.without.includes(memoryId) &&
      (corrected || !(selection.exchanges.has(exchange ?? '') || pinned.some((memory) => memory.id === memoryId))),
  );
  const earlier = earlierFacts(facts);
  const selected = chooseFacts(fitting, earlier, selection.question, selection.tokens * SHARE).map((fact) =>
    withWords(fact, passages),
  );
  const isStated = statedBy(facts, selected);
  const rest = passages
    .filter((item) => !item.pinned)
    .flatMap((item) => (item.kind === 'file' ? [item] : withText(item, withoutSentences(item.text, isStated))));
  return { facts: selected, passages: [...pinned, ...rest], overruled };
}

/** The facts that each one replaced, directly or not. */
function earlierFacts(facts: readonly FactsForRun[]): Map<string, FactsForRun[]> {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const earlier = new Map<string, FactsForRun[]>();
  for (const fact of facts) {
    const seen = new Set([fact.id]);
    for (let id = fact.replacedBy; id !== null && !seen.has(id); id = byId.get(id)?.replacedBy ?? null) {
      seen.add(id);
      earlier.set(id, [...(earlier.get(id) ?? []), fact]);
    }
  }
  return earlier;
}

function overruledSentence({ state, corrected, sentence, said }: FactsForRun): string[] {
  if (said === null || sentence === null || (!corrected && state !== 'forgotten')) return [];
  const sentences = readSentences(said);
  const last = sentences.findLast(({ place }) => place <= sentence);
  return sentences.filter(({ place }) => place === last?.place).map(({ text }) => text);
}

/** A fact with the recalled sentence that states it, which the passage then loses. */
function withWords(fact: RecalledItem, passages: readonly RecalledItem[]): RecalledItem {
  for (const { kind, text, score } of passages) {
    if (kind !== 'person' || !sentenceFinder(text)(fact.text)) continue;
    const words = sentencesOf(text).find((sentence) => sentenceFinder(sentence)(fact.text));
    if (words !== undefined) return { ...fact, words, score: Math.max(fact.score, score) };
  }
  return fact;
}

/** Tells whether facts that are given say all that a sentence states. */
function statedBy(facts: readonly FactsForRun[], selected: readonly RecalledItem[]): (sentence: string) => boolean {
  const ids = new Set(selected.map(({ id }) => id));
  const current = facts.flatMap(({ id, state, text }) =>
    state === 'current' ? [{ id, words: wordsAlone(text) }] : [],
  );
  return (sentence) => {
    const holds = wordsFinder(sentence);
    const stated = current.filter(({ words }) => holds(words));
    return stated.length > 0 && stated.every(({ id }) => ids.has(id));
  };
}

/** Recalled items without what the person has overruled. */
function withoutOverruled(recalled: readonly RecalledItem[], overruled: readonly string[]): readonly RecalledItem[] {
  if (overruled.length === 0) return recalled;
  const gone = new Set(overruled.map(wordsAlone));
  const repeats = repetitionFinder(overruled);
  return recalled.flatMap((item) => {
    if (item.kind === 'file') return [item];
    // What an agent makes of such a sentence says nothing without it.
    if (item.kind === 'agent') return repeats(item.text) ? [] : [item];
    const text = withoutSentences(item.text, (sentence) => gone.has(wordsAlone(sentence)));
    return withText(item, text);
  });
}

const withText = (item: RecalledItem, text: string): RecalledItem[] => (text.trim() === '' ? [] : [{ ...item, text }]);

function chooseFacts(
  facts: readonly FactsForRun[],
  earlier: ReadonlyMap<string, FactsForRun[]>,
  question: string,
  tokens: number,
): RecalledItem[] {
  const questionStems = stemsOf(question);
  // “Where do I live?” asks for “I moved to Porto”, because that replaced “I live in Lisbon”.
  const rated = facts.map((fact, at) => {
    const texts = [fact, ...(earlier.get(fact.id) ?? [])].map(({ text, about }) => `${text} ${about}`);
    return { fact, at, score: Math.max(...texts.map((text) => likeness(questionStems, stemsOf(text)))) };
  });
  const ranked = rated.toSorted(
    (a, b) => Number(b.fact.pinned) - Number(a.fact.pinned) || b.score - a.score || a.at - b.at,
  );
  const chosen: RecalledItem[] = [];
  let room = tokens;
  let unasked = 0;
  for (const { fact, score } of ranked) {
    const size = countTokens(fact.text) + FRAME_TOKENS;
    if (score === 0 && !fact.pinned) unasked += 1;
    if (chosen.length === FACTS_MAX || unasked > UNASKED_MAX) break;
    if (size > room) continue;
    room -= size;
    chosen.push(toItem(fact, score));
  }
  return chosen;
}

const toItem = (
  { id, text, about, pinned, corrected, timestamp, sessionId, sessionName }: FactsForRun,
  score: number,
): RecalledItem => ({
  id,
  kind: 'fact',
  text,
  about,
  timestamp,
  sessionId,
  sessionName,
  score: pinned ? 1 : Math.round(score * 1_000) / 1_000,
  ...(pinned ? { pinned } : {}),
  ...(corrected ? { corrected } : {}),
  quotesOthers: false,
  exchange: null,
});

/** The share of the question's words that a fact has. */
function likeness(questionStems: ReadonlySet<string>, stems: ReadonlySet<string>): number {
  let shared = 0;
  for (const stem of questionStems) if (stems.has(stem)) shared += 1;
  return questionStems.size === 0 ? 0 : shared / questionStems.size;
}
