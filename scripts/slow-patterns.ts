import { createContext, runInContext } from 'node:vm';
import { check } from 'recheck';
import type { Pattern } from './patterns.ts';

/** How long the automaton may think, on a busy machine too; the long runs decide what it can't. */
const DECIDE_MS = 5_000;
const LONG = 50_000;
/** A pattern that reads each character once needs about a millisecond for a long run; one that starts again at each needs seconds. */
const RUN_MS = 1_000;
/** The limit for all runs of one pattern; a linear one needs a tenth of it. */
const ALL_RUNS_MS = 3_000;
/** Others may use the processor meanwhile: only what is slow every time is slow. */
const TRIES = 3;
const CLASSES = [...' \t\nxX7.,?!"\'()[]{}<>*_-/\\|`#:@é中\u0301\u200f', '😀', '\r\n', ' x', '7.', '((', '**'];
const sandbox = createContext({});

/**
 * A description of the long text that makes a pattern slow; undefined when none does. Assumes that reading should cost as much as a text is
 * long.
 */
export async function slowText(pattern: Pattern): Promise<string | undefined> {
  const { source, flags } = pattern;
  const verdict = await check(source, flags, { checker: 'automaton', timeout: DECIDE_MS });
  if (verdict.status === 'vulnerable') return verdict.attack.pattern;
  const runs = longRuns(pattern);
  if (readsAll(pattern, runs, ALL_RUNS_MS)) return undefined;
  return runs.find((run) => Array.from({ length: TRIES }).every(() => !readsAll(pattern, [run], RUN_MS)));
}

/** What is repeated: each class of characters, and what the pattern itself names, alone and with spaces. */
function longRuns({ source }: Pattern): string[] {
  const signs = [...new Set(source.replaceAll(/\\[pPu]\{[^{}]*\}/g, ''))].filter((sign) => /[^\s\w]/u.test(sign));
  const words = [...new Set(source.replaceAll(/\\./g, ' ').match(/[\p{L}\p{N}'’]+/gu) ?? [])].slice(0, 40);
  const own = [...signs, ...words];
  return [...new Set([...CLASSES, ...own, ...own.map((one) => `${one} `), ...words.map((one) => `${one}  x\n`)])];
}

/** Whether a pattern reads the long runs in time. */
function readsAll({ source, flags }: Pattern, runs: string[], timeout: number): boolean {
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const long = runs.map((run) => run.repeat(LONG / run.length));
  Object.assign(sandbox, { pattern, texts: long.flatMap((run) => [`${run}\u0000`, `x${run}\n!`]) });
  try {
    runInContext('for (const text of texts) text.replace(pattern, "")', sandbox, { timeout });
    return true;
  } catch {
    return false;
  }
}
