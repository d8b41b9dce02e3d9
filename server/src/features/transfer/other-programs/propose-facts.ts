import { FACT_TEXT_MAX } from '@atelier/contract/facts';
import { PAST_LIMITS } from '@atelier/contract/transfer/past';
import { v5 as uuidv5 } from 'uuid';
import { findFacts } from '../../../platform/language/facts/find-facts.ts';
import { replaces, saysSame } from '../../../platform/language/facts/replaces.ts';
import { namesIn, readStatement } from '../../../platform/language/facts/statement.ts';
import { readSentences } from '../../../platform/language/sentences.ts';
import type { MemoryRow } from './past-rows.ts';

/** A fact that an export states: nothing is stored of it before the person says so. */
export interface Proposal {
  id: string;
  memoryId: string;
  sentence: number;
  text: string;
  about: string;
  /** The sentence in the person's own words. */
  words: string;
  sessionId: string;
  createdAt: string;
}

/** How many are compared with each other, the newest. */
const COMPARED = 1_000;
const WORDS_MAX = 500;

/** Finds what a person stated of themselves in what is remembered of one message, by the rules that read messages here too. */
export function proposalsIn(memories: readonly MemoryRow[], names: readonly string[]): Proposal[] {
  const own = memories.filter(({ kind }) => kind === 'person');
  return findFacts(
    own.map(({ text }) => text),
    names,
  ).flatMap(({ text, about, part, sentence }) => {
    const memory = own[part];
    if (memory === undefined || text.length > FACT_TEXT_MAX || about.length > FACT_TEXT_MAX) return [];
    const words = readSentences(memory.text).findLast(({ place }) => place <= sentence)?.text ?? memory.text;
    const { id: memoryId, sessionId, createdAt } = memory;
    const id = uuidv5(`${sentence}/${text}`, memoryId);
    return [
      { id, memoryId, sentence, text, about, words: words.slice(0, WORDS_MAX).toWellFormed(), sessionId, createdAt },
    ];
  });
}

/** The newest of them, newest first. */
export const newestProposals = (all: readonly Proposal[]): Proposal[] =>
  all.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, COMPARED);

/** The newest of them, without those that a later one repeats or makes untrue. */
export function currentProposals(all: readonly Proposal[]): Proposal[] {
  const newest = newestProposals(all);
  const names = namesIn(newest.map(({ text }) => text));
  const current: { proposal: Proposal; statement: ReturnType<typeof readStatement> }[] = [];
  for (const proposal of newest) {
    const statement = readStatement(proposal.text, (relation) => names.get(relation));
    const isPast = current.some(
      (later) => saysSame(later.statement, statement) || replaces(later.statement, statement),
    );
    if (!isPast) current.push({ proposal, statement });
    if (current.length === PAST_LIMITS.facts) break;
  }
  return current.map(({ proposal }) => proposal);
}

/** A proposal as a row of an archive. */
export const factRowOf = (agentId: string, { id, memoryId, sentence, text, about, createdAt }: Proposal) => ({
  id,
  agentId,
  memoryId,
  sentence,
  text,
  about,
  createdAt,
  pinned: false,
  correctedAt: null,
  forgottenAt: null,
  replacedBy: null,
  sameAs: null,
});
