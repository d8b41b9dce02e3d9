import type { AccountImport } from '@atelier/contract/transfer/imports';
import { expect, it } from 'vitest';
import { countText, shareDone } from './import-text.ts';

const count = { kind: 'memories', found: 1_200, imported: 1_000, present: 50, left: 30 } as const;
const report = (counts: AccountImport['counts']): AccountImport => ({
  id: '1',
  state: 'running',
  fileName: 'a.zip',
  madeAt: '2026-01-01T00:00:00.000Z',
  agentNames: [],
  counts,
  notes: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  finishedAt: null,
});

it('says what became of each kind', () => {
  expect(countText(count, 'ready')).toBe('1,200');
  expect(countText(count, 'running')).toBe('1,000 imported · 50 were here · 30 left out · 120 to come');
  expect(countText({ ...count, found: 0, imported: 0, present: 0, left: 0 }, 'done')).toBe('None');
});

it('says how much is done, also of an empty archive', () => {
  expect(shareDone(report([count]))).toBeCloseTo(0.9);
  expect(shareDone(report([]))).toBe(1);
});
