import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { supersedes } from '../../server/src/platform/language/supersede.ts';

const pair = z.tuple([z.string(), z.string()]);
const part = z.object({ supersede: z.array(pair), keep: z.array(pair) });
const file = z.object({ development: part, heldOut: part });
export type Part = z.infer<typeof part>;

/** The pairs of statements, earlier and later, beside this file. */
export function readPairs(): z.infer<typeof file> {
  return file.parse(JSON.parse(readFileSync(new URL('pairs.json', import.meta.url), 'utf8')));
}

/** How many pairs the rules judge correctly, and how many they wrongly call superseded; `mistakes` lists both kinds. */
export function judge({ supersede, keep }: Part) {
  const judged = (pairs: [string, string][]) => pairs.map((two) => ({ two, replaced: supersedes(two[1], two[0]) }));
  const missed = judged(supersede).filter(({ replaced }) => !replaced);
  const wrong = judged(keep).filter(({ replaced }) => replaced);
  return {
    supersede: supersede.length,
    right: supersede.length - missed.length,
    keep: keep.length,
    wrong: wrong.length,
    mistakes: [...missed, ...wrong].map(({ two }) => two.join(' → ')),
  };
}
