import { expect, test } from 'vitest';
import { isNightly } from '../server/src/testing/effort.ts';
import { judgePatterns, noteOf, patternsOfProduct, readNotes } from './judged-patterns.ts';
import { type Pattern, patternsIn } from './patterns.ts';
import { slowText } from './slow-patterns.ts';

// A pattern whose time grows faster than its text lets one message stop the server, which serves everybody on one thread.

/** `new RegExp` of a value that no constant holds: of our own routes, and of a stranger's form in a worker that is ended. */
const MADE_LATER = ['server/src/web-pages.ts', 'web/app/features/runs/exchange/pattern.worker.ts'];

const read = patternsOfProduct();

test('every pattern of the product is found in its source', () => {
  expect(read.flatMap(({ found }) => found).length).toBeGreaterThan(200);
  const unknown = read.flatMap((one) => one.unknown);
  expect(unknown.filter((place) => !MADE_LATER.some((file) => place.startsWith(file)))).toEqual([]);
});

test('every pattern of the product reads a long text in one go', { timeout: 600_000 }, async () => {
  const notes = readNotes();
  const distinct = new Map(read.flatMap(({ found }) => found).map((one) => [noteOf(one), one]));
  // At night the notes are not believed.
  const patterns = [...distinct].filter(([note]) => isNightly || !notes.has(note)).map(([, pattern]) => pattern);
  if (!isNightly && patterns.length > 0)
    console.log(`patterns: ${patterns.length} new ones were judged; \`node scripts/judged-patterns.ts\` notes them`);
  expect(await judgePatterns(patterns)).toEqual([]);
});

const FIXTURE = String.raw`
const WORD = '[a-z]+';
const SPACED = new RegExp(${'`(${WORD})*!`'}, 'i');
export const tests = [SPACED, /\s+$/, /^(a|a)*$/, /<think>[^]*?<\/think>/g, /(?=\S|\s)\s*\n$/, RegExp(pageOf(1))];
export const fine = [/^\s+/, /\s+/g, /,[^\s,]+/, /(?<=\d)\s*%/];
`;

test('a pattern that is slow is found, wherever and however it is written', async () => {
  const { found, unknown } = patternsIn('fixture.ts', FIXTURE);
  const slow = async (pattern: Pattern) => (await slowText(pattern)) !== undefined;
  const verdicts = await Promise.all(found.map(async (one) => [one.source, await slow(one)] as const));
  expect(verdicts.filter(([, isSlow]) => isSlow).map(([source]) => source)).toEqual([
    '([a-z]+)*!',
    String.raw`\s+$`,
    '^(a|a)*$',
    String.raw`<think>[^]*?<\/think>`,
    String.raw`(?=\S|\s)\s*\n$`,
  ]);
  expect(verdicts.filter(([, isSlow]) => !isSlow)).toHaveLength(4);
  expect(unknown).toEqual(['fixture.ts:4']);
});
