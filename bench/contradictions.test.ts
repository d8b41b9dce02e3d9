import { expect, it } from 'vitest';
import { judge, readPairs } from './contradictions/pairs.ts';

it('sees what supersedes, and leaves alone what only looks like it', () => {
  const { development, heldOut } = readPairs();
  const judged = [development, heldOut].map(judge);
  const sum = (key: 'supersede' | 'right' | 'keep' | 'wrong') => judged.reduce((total, part) => total + part[key], 0);
  expect([sum('supersede'), sum('keep')]).toEqual([30, 30]);
  expect(sum('right')).toBeGreaterThanOrEqual(24);
  expect(sum('wrong')).toBeLessThanOrEqual(2);
});
