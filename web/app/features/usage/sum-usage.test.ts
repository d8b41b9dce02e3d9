import type { UsageRow } from '@atelier/contract/usage';
import { describe, expect, it } from 'vitest';
import { formatNumber } from '../../ui/formats.ts';
import { sumByAgent, sumByDay, sumByPurpose, sumUsage } from './sum-usage.ts';
import { daysOf, readPeriod } from './usage.api.ts';
import { formatCost } from './usage-words.ts';

const row = (more: Partial<UsageRow>): UsageRow => ({
  day: '2026-11-02',
  agentId: 'field-notes',
  agentName: 'Field Notes',
  agentDeleted: false,
  model: 'gpt-4',
  purpose: 'answer',
  answers: 1,
  calls: 1,
  inputTokens: 100,
  outputTokens: 10,
  estimated: 0,
  cost: 0.5,
  ...more,
});

describe('adding up', () => {
  it('counts money only where prices are known, and says when some are not', () => {
    expect(sumUsage([row({}), row({ cost: 0.25 })])).toMatchObject({ answers: 2, cost: 0.75, isPartial: false });
    expect(sumUsage([row({}), row({ cost: null })])).toMatchObject({ cost: 0.5, isPartial: true });
    expect(sumUsage([row({ cost: 0 }), row({ cost: null })])).toMatchObject({ cost: null, isPartial: false });
    expect(sumUsage([row({ cost: null })])).toMatchObject({ cost: null, isPartial: false });
    expect(sumUsage([])).toMatchObject({ answers: 0, cost: null });
  });

  it('has every day, also those without answers', () => {
    const days = sumByDay([row({})], '2026-11-01', '2026-11-03');
    expect(days.map(({ day, sum }) => [day, sum.inputTokens])).toEqual([
      ['2026-11-01', 0],
      ['2026-11-02', 100],
      ['2026-11-03', 0],
    ]);
  });

  it('keeps the background apart, whose estimates are no answers', () => {
    const title = row({ purpose: 'title', answers: 0, estimated: 1, inputTokens: 5, outputTokens: 1 });
    const groups = sumByPurpose([title, row({}), title]);
    expect(groups.map(({ purpose, sum }) => [purpose, sum.answers, sum.inputTokens, sum.estimated])).toEqual([
      ['answer', 1, 100, 0],
      ['title', 0, 10, 0],
    ]);
  });

  it('keeps an agent apart from a deleted one of the same name, and begins with the most', () => {
    const groups = sumByAgent([row({ agentDeleted: true }), row({}), row({ day: '2026-11-03', outputTokens: 900 })]);
    expect(groups.map(({ agentDeleted, sum }) => [agentDeleted, sum.outputTokens])).toEqual([
      [false, 910],
      [true, 10],
    ]);
  });
});

it('ends a period on today, where the person is', () => {
  const late = new Date('2026-11-23T23:30:00Z');
  expect(daysOf(7, late, 'UTC')).toEqual({ from: '2026-11-17', to: '2026-11-23', timeZone: 'UTC' });
  expect(daysOf(7, late, 'Asia/Tokyo').to).toBe('2026-11-24');
  expect([readPeriod('90'), readPeriod('91'), readPeriod(null)]).toEqual([90, 30, 30]);
});

it('writes figures so that small ones don’t vanish', () => {
  expect(formatCost(0, 'USD')).toBe('Free');
  expect(formatCost(0.00012, 'USD')).toMatch(/0\.00012/u);
  expect(formatCost(12.3456, 'USD')).toMatch(/12\.35/u);
  expect(formatCost(null, 'USD')).toBe('not known');
  expect(formatNumber(1_234)).toMatch(/1.?234/u);
});
