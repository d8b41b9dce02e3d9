import { anyReplaces } from '../../platform/language/facts/replaces.ts';
import { couldReplace, type Statement, statementsOf } from '../../platform/language/facts/statement.ts';
import { keepRecent } from '../../platform/language/recent.ts';
import { asks } from '../../platform/language/sentences.ts';
import { stemsIn } from '../../platform/language/words.ts';

/** A memory as the index found it. */
export interface RankedMemory {
  id: string;
  kind: 'person' | 'agent' | 'file';
  speaker: string | null;
  text: string;
  timestamp: string;
  score: number;
}

/** Texts that share this much of their words are duplicates. */
const ALIKE = 0.9;
/** An answer repeats a statement when it contains this share of its words, and the statement has at least this many. */
const REPEATED = 0.8;
const STATEMENT_STEMS = 3;
const NEGATED = /\b(not|no|never|none|cannot)\b|n['’]t\b/i;

/**
 * The first `limit` of what was found: duplicates once, a person's statement before answers that repeat it, and a replaced statement right
 * after its replacement, marked with its id. `rivals` contains later memories that were not found but may replace one.
 */
export function mergeRecalled<T extends RankedMemory>(
  matches: T[],
  rivals: T[],
  limit: number,
): (T & { supersededBy?: string })[] {
  const candidates = matches.map(toCandidate);
  const statements = candidates.filter(({ memory }) => memory.kind === 'person');
  const others = rivals.filter(({ kind }) => kind === 'person').map(toCandidate);
  const later = [...statements, ...others].filter(({ read }) => read.couldReplace);
  const distinct: Candidate<T>[] = [];
  const merged: (T & { supersededBy?: string })[] = [];
  const take = ({ memory, read }: Candidate<T>, score: number, supersededBy?: string) => {
    if (distinct.some((other) => other.memory.id === memory.id || alike(other.read, read))) return;
    distinct.push({ memory, read });
    merged.push({ ...memory, score: Math.max(memory.score, score), ...(supersededBy && { supersededBy }) });
  };
  for (const candidate of candidates) {
    if (merged.length >= limit) break;
    const { memory, read } = candidate;
    if (memory.kind === 'agent') {
      const source = statements.find((other) => repeats(read, other.read));
      if (source !== undefined) take(source, memory.score);
    }
    const newer = memory.kind === 'person' ? findReplacement(candidate, later) : undefined;
    if (newer !== undefined) take(newer, memory.score);
    take(candidate, memory.score, newer?.memory.id);
  }
  return merged.slice(0, limit);
}

interface Candidate<T> {
  memory: T;
  read: TextTraits;
}
const toCandidate = <T extends RankedMemory>(memory: T): Candidate<T> => ({ memory, read: readText(memory.text) });

/** Whether an agent's answer contains nearly everything the person said; a question can't be repeated. */
export const repeatsText = (answer: string, statement: string): boolean =>
  repeats(readText(answer), readText(statement));

/** How many texts stay read: those of a hundred conversations that go on. */
const RECENT = 1_000;

interface TextTraits {
  /** The hashes of the meaningful stems. */
  stems: ReadonlySet<number>;
  negated: boolean;
  couldReplace: boolean;
  asks: boolean;
  statements: Statement[];
}

const readText = keepRecent(RECENT, (text): TextTraits => {
  let statements: Statement[] | undefined;
  let stems: ReadonlySet<number> | undefined;
  return {
    couldReplace: couldReplace(text),
    negated: NEGATED.test(text),
    asks: asks(text),
    get stems() {
      stems ??= stemsIn(text);
      return stems;
    },
    get statements() {
      statements ??= statementsOf(text);
      return statements;
    },
  };
});

/** The latest statement that replaces this one: a replacement may have been replaced in turn. */
function findReplacement<T extends RankedMemory>({ memory, read }: Candidate<T>, later: Candidate<T>[]) {
  let latest: Candidate<T> | undefined;
  for (const other of later) {
    if (other.memory.timestamp <= (latest?.memory ?? memory).timestamp || other.memory.speaker !== memory.speaker)
      continue;
    if (anyReplaces(other.read.statements, read.statements)) latest = other;
  }
  return latest;
}

/** Whether an answer contains nearly all of a person's statement. */
function repeats(answer: TextTraits, statement: TextTraits): boolean {
  if (statement.stems.size < STATEMENT_STEMS || statement.asks) return false;
  let shared = 0;
  for (const stem of statement.stems) if (answer.stems.has(stem)) shared += 1;
  return shared >= REPEATED * statement.stems.size;
}

function alike(a: TextTraits, b: TextTraits): boolean {
  if (a.negated !== b.negated) return false;
  const smaller = Math.min(a.stems.size, b.stems.size);
  const larger = Math.max(a.stems.size, b.stems.size);
  if (smaller < ALIKE * larger) return false;
  let shared = 0;
  for (const stem of a.stems) if (b.stems.has(stem)) shared += 1;
  return larger > 0 && shared >= ALIKE * (a.stems.size + b.stems.size - shared);
}
