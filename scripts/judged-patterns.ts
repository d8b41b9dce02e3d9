// `npm run patterns`: judges every pattern of the product and notes those that are linear.
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Pattern, patternsIn } from './patterns.ts';
import { slowText } from './slow-patterns.ts';

const LIST = join(import.meta.dirname, 'judged-patterns.txt');

/** What judges: a pattern is judged again when this changes. */
const judge = [
  readFileSync(join(import.meta.dirname, 'slow-patterns.ts'), 'utf8'),
  createRequire(import.meta.url)('recheck/package.json').version,
].join('\0');

/** How a judged pattern is noted: by what it says and by what judged it. */
export const noteOf = ({ source, flags }: Pattern): string =>
  createHash('sha256').update(`${judge}\0${flags}\0${source}`).digest('hex').slice(0, 16);

/** The notes of the patterns that were found to be linear. */
export const readNotes = (): Set<string> => new Set(readFileSync(LIST, 'utf8').split('\n').filter(Boolean));

/** The patterns in each file of the product, and the places of those that can't be known from the source. */
export function patternsOfProduct() {
  return globSync(['contract/src/**/*.ts', 'server/src/**/*.ts', 'web/app/**/*.{ts,tsx}'])
    .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
    .map((file) => patternsIn(file));
}

/** Those of the patterns that a long text makes slow, in a sentence each. */
export async function judgePatterns(patterns: readonly Pattern[]): Promise<string[]> {
  const slow: string[] = [];
  for (const pattern of patterns) {
    const text = await slowText(pattern);
    if (text !== undefined)
      slow.push(`${pattern.place} /${pattern.source}/${pattern.flags} is slow for ${text.slice(0, 80)}`);
  }
  return slow;
}

if (import.meta.main) {
  const distinct = new Map(patternsOfProduct().flatMap(({ found }) => found.map((one) => [noteOf(one), one])));
  const slow = await judgePatterns([...distinct.values()]);
  if (slow.length > 0) throw new Error(slow.join('\n'));
  writeFileSync(LIST, `${[...distinct.keys()].sort().join('\n')}\n`);
}
