import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';

/** What a bench found. */
export interface Figure {
  what: string;
  /** Where it was measured, if that is more than one place: a database, a size. */
  on?: string;
  unit: string;
  /** The same work at its least, in the same run; some figures have none. */
  floor?: number | undefined;
  ours: number;
}

/** Options of the command line by their defaults; all benches know `--json`. */
export function readOptions<T extends Record<string, string | boolean>>(defaults: T): T {
  const options = Object.fromEntries(
    Object.entries({ ...defaults, json: false }).map(([name, value]) => [
      name,
      { type: typeof value === 'string' ? ('string' as const) : ('boolean' as const), default: value },
    ]),
  );
  return parseArgs({ options, allowNegative: true }).values as T;
}

export const quantile = (numbers: number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? Number.NaN;
export const median = (numbers: number[]) => quantile(numbers, 0.5);

/** Milliseconds of each round; those of the warm-up, which have negative numbers, are left out. */
export async function timesOf(
  run: (round: number) => unknown,
  { rounds, warmUp = 0 }: { rounds: number; warmUp?: number },
): Promise<number[]> {
  const times: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const start = performance.now();
    await run(round);
    if (round >= 0) times.push(performance.now() - start);
  }
  return times;
}

const shown = (value: number, unit: string) =>
  `${Number.isInteger(value) || value >= 100 ? value.toFixed(0) : value.toFixed(1)} ${unit}`.trim();

/** Prints a line for each figure: its floor, ours, and the ratio of the two in three digits. */
export function report(title: string, figures: Figure[]): void {
  const table: Record<string, Record<string, string>> = {};
  for (const { what, on, unit, floor, ours } of figures) {
    const place = on === undefined ? '' : `, ${on}`;
    table[what] = {
      ...table[what],
      ...(floor === undefined ? {} : { [`floor${place}`]: shown(floor, unit) }),
      [`ours${place}`]: shown(ours, unit),
      ...(floor === undefined ? {} : { [`ratio${place}`]: String(Number((ours / floor).toPrecision(3))) }),
    };
  }
  console.log(title);
  console.table(table);
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures));
}
