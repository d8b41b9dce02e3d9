import { keepRecent } from '../../platform/language/recent.ts';
import { asks } from '../../platform/language/sentences.ts';
import { couldReplace, type Statement, statementsOf } from '../../platform/language/statements.ts';
import { anyReplaces } from '../../platform/language/supersede.ts';
import { readWords } from '../../platform/language/word-reader.ts';

/** A memory as the index found it. */
export interface Found {
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
const TOLD = 3;
const NEGATED = /\b(not|no|never|none|cannot)\b|n['’]t\b/i;

/**
 * The first `limit` of what was found: duplicates once, a person's statement before answers that repeat it, and a replaced statement right
 * after its replacement, marked with its id. `rivals` contains later memories that were not found but may replace one.
 */
export function mergeRecalled<T extends Found>(
  found: T[],
  rivals: T[],
  limit: number,
): (T & { supersededBy?: string })[] {
  const told = [...found, ...rivals].filter((memory) => memory.kind === 'person' && read(memory).couldReplace);
  const later = new Map(told.map((memory) => [memory.id, memory]));
  const merged: (T & { supersededBy?: string })[] = [];
  const take = (memory: T, supersededBy?: string) => {
    if (merged.some((other) => other.id === memory.id || alike(read(other), read(memory)))) return;
    merged.push(supersededBy === undefined ? memory : { ...memory, supersededBy });
  };
  for (const memory of found) {
    if (merged.length >= limit) break;
    if (memory.kind === 'agent') {
      const source = found.find((other) => other.kind === 'person' && repeats(read(memory), read(other)));
      if (source !== undefined) take({ ...source, score: Math.max(source.score, memory.score) });
    }
    const newer = memory.kind === 'person' ? findReplacement(memory, later) : undefined;
    if (newer !== undefined) take({ ...newer, score: Math.max(newer.score, memory.score) });
    take(memory, newer?.id);
  }
  return merged.slice(0, limit);
}

/** Whether an agent's answer contains nearly everything the person said; a question can't be repeated. */
export const repeatsText = (answer: string, told: string): boolean => repeats(readText(answer), readText(told));

/** How many texts stay read: those of a hundred conversations that go on. */
const RECENT = 1_500;

interface Read {
  /** The hashes of the meaningful stems. */
  stems: ReadonlySet<number>;
  negated: boolean;
  couldReplace: boolean;
  asks: boolean;
  statements: Statement[];
}

const readText = keepRecent(RECENT, (text): Read => {
  let statements: Statement[] | undefined;
  return {
    couldReplace: couldReplace(text),
    stems: stemsOf(text),
    negated: NEGATED.test(text),
    asks: asks(text),
    get statements() {
      statements ??= statementsOf(text);
      return statements;
    },
  };
});

const read = ({ text }: Found): Read => readText(text);

function stemsOf(text: string): Set<number> {
  const stems = new Set<number>();
  for (const { hash } of readWords(text)) if (hash !== 0) stems.add(hash);
  return stems;
}

/** The latest statement that replaces this one: a replacement may have been replaced in turn. */
function findReplacement<T extends Found>(memory: T, later: Map<string, T>): T | undefined {
  let latest: T | undefined;
  for (const other of later.values()) {
    if (other.timestamp <= (latest ?? memory).timestamp || other.speaker !== memory.speaker) continue;
    if (anyReplaces(read(other).statements, read(memory).statements)) latest = other;
  }
  return latest;
}

/** Whether an answer contains nearly all of a person's statement. */
function repeats(answer: Read, told: Read): boolean {
  if (told.stems.size < TOLD || told.asks) return false;
  let held = 0;
  for (const stem of told.stems) if (answer.stems.has(stem)) held += 1;
  return held >= REPEATED * told.stems.size;
}

function alike(a: Read, b: Read): boolean {
  if (a.negated !== b.negated) return false;
  const smaller = Math.min(a.stems.size, b.stems.size);
  const larger = Math.max(a.stems.size, b.stems.size);
  if (smaller < ALIKE * larger) return false;
  let shared = 0;
  for (const stem of a.stems) if (b.stems.has(stem)) shared += 1;
  return larger > 0 && shared >= ALIKE * (a.stems.size + b.stems.size - shared);
}
