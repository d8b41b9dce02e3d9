import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Pattern, patternsIn } from './patterns.ts';
import { slowText } from './slow-patterns.ts';

// A pattern whose time grows faster than its text lets one message stop the server, which serves everybody on one thread.

/** Made while the server starts, from our own routes: `new RegExp` of a value that no constant holds. */
const MADE_OF_ROUTES = ['server/src/web-pages.ts'];

const files = globSync(['contract/src/**/*.ts', 'server/src/**/*.ts', 'web/app/**/*.{ts,tsx}']).filter(
  (file) => !/\.test\.tsx?$|\/testing\//.test(file),
);
const read = files.map((file) => patternsIn(file));

test('every pattern of the product is found in its source', () => {
  expect(read.flatMap(({ found }) => found).length).toBeGreaterThan(200);
  const unknown = read.flatMap((one) => one.unknown);
  expect(unknown.filter((place) => !MADE_OF_ROUTES.some((file) => place.startsWith(file)))).toEqual([]);
});

test('every pattern of the product reads a long text in one go', { timeout: 600_000 }, async () => {
  const patterns = new Map(read.flatMap(({ found }) => found).map((one) => [`/${one.source}/${one.flags}`, one]));
  const slow: string[] = [];
  for (const [name, pattern] of patterns) {
    const text = await slowText(pattern);
    if (text !== undefined) slow.push(`${pattern.place} ${name} is slow for ${text.slice(0, 80)}`);
  }
  expect(slow).toEqual([]);
});

const FIXTURE = String.raw`
const WORD = '[a-z]+';
const SPACED = new RegExp(${'`(${WORD})*!`'}, 'i');
export const tests = [SPACED, /\s+$/, /^(a|a)*$/, /<think>[^]*?<\/think>/g, /(?=\S|\s)\s*\n$/, RegExp(pageOf(1))];
export const fine = [/^\s+/, /\s+/g, /,[^\s,]+/, /(?<=\d)\s*%/];
`;

test('a pattern that is slow is found, wherever and however it is written', { timeout: 120_000 }, async () => {
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
