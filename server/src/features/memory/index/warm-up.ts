import { LINES } from '../../../platform/language/concepts.ts';
import { mergeRecalled } from '../merge-recalled.ts';
import { createIndexCache } from './index-cache.ts';
import { FIELD_END, ROW_END, unpackRows } from './packed-rows.ts';

// Compiles the code of the first question before anyone asks, with made-up memories that are thrown away.

const ROUNDS = 6;
const LIMIT = 8;
const [FIELD, ROW] = [FIELD_END, ROW_END].map((code) => String.fromCharCode(code));

const textOf = (line: readonly string[], at: number, round: number) =>
  `Last year, on ${at % 28} May, my ${line.slice(round).join(' ')} moved to Lisbon; I like ${line.at(round)}.`;
const kindOf = (at: number) => (at % 2 === 0 ? 'person' : 'agent');

/** Indexes and ranks a few hundred memories, as the worker does. */
export function warmUpIndexing(): void {
  const cache = createIndexCache(Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round += 1) {
    const packed = LINES.map((line, at) =>
      [`${round} ${at}`, round, round, kindOf(at), '', at * 1_000, 'false', '', textOf(line, at, round)].join(FIELD),
    );
    const rows = unpackRows(packed.join(ROW));
    cache.handle({ type: 'load', key: '', version: round, from: round - 1, rows });
  }
  for (const line of LINES) {
    const text = `When did my ${line[0]} move to ${line[1]}?`;
    cache.handle({ type: 'rank', key: '', version: -1, text, limit: LIMIT });
  }
}

/** Merges results as the serving thread does: expressions are compiled once for plain texts and once for others. */
export function warmUpMerging(): void {
  for (const sign of ['.', '…']) {
    const recalled = LINES.slice(0, 2 * LIMIT).map((line, at) => ({
      id: String(at),
      kind: kindOf(at),
      speaker: null,
      text: `${textOf(line, at, 0)} Am I right${sign}`,
      timestamp: new Date(at).toISOString(),
      score: 1,
    })) satisfies Parameters<typeof mergeRecalled>[0];
    mergeRecalled(recalled, [], LIMIT);
  }
}
