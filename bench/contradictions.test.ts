import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { anyReplaces } from '../server/src/platform/language/facts/replaces.ts';
import { statementsOf } from '../server/src/platform/language/facts/statement.ts';

type Pairs = [earlier: string, later: string][];
const file: Record<'development' | 'heldOut', Record<'supersede' | 'keep', Pairs>> = JSON.parse(
  readFileSync(new URL('contradictions.json', import.meta.url), 'utf8'),
);

it('sees what supersedes, and leaves alone what only looks like it', () => {
  const pairsOf = (kind: 'supersede' | 'keep') => [...file.development[kind], ...file.heldOut[kind]];
  const replaced = (pairs: Pairs) =>
    pairs.filter(([earlier, later]) => anyReplaces(statementsOf(later), statementsOf(earlier)));
  expect([pairsOf('supersede').length, pairsOf('keep').length]).toEqual([30, 30]);
  expect(replaced(pairsOf('supersede')).length).toBeGreaterThanOrEqual(24);
  expect(replaced(pairsOf('keep')).length).toBeLessThanOrEqual(2);
});
