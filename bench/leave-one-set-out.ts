import type { Family } from './conversations.ts';
import { learn } from './learning.ts';
import type { Measured } from './memory-recall.ts';
import { measureVectors, type Sample, samplesOf } from './memory-signals.ts';

/** Each set measured with weights learned without its whole family. `without` lists signals, by number, to leave out. */
export function leaveOneSetOut(
  families: Family[],
  without?: ReadonlySet<number>,
): { name: string; measured: Measured[] }[] {
  const samples = families.map(({ sets }) => sets.map(samplesOf));
  return families.flatMap(({ sets }, left) => {
    const weights = learn(taught(samples.filter((_, at) => at !== left)), without);
    return sets.map((set) => ({ name: set.name, measured: measureVectors(set, [weights])[0] ?? [] }));
  });
}

/** The samples to learn from, by family and set, of those that have any. */
export const taught = (families: Sample[][][]): Sample[][][] =>
  families.map((sets) => sets.filter((set) => set.length > 0)).filter((sets) => sets.length > 0);
