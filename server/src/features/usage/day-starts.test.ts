import { expect, it } from 'vitest';
import { dayStarts } from './day-starts.ts';

const starts = (from: string, to: string, zone: string) => dayStarts(from, to, zone).map((at) => at.toISOString());

it('begins days at midnight of the place, also where clocks change', () => {
  expect(starts('2026-11-23', '2026-11-23', 'UTC')).toEqual(['2026-11-23T00:00:00.000Z', '2026-11-24T00:00:00.000Z']);
  expect(starts('2026-11-23', '2026-11-23', 'Asia/Kathmandu')).toEqual([
    '2026-11-22T18:15:00.000Z',
    '2026-11-23T18:15:00.000Z',
  ]);
  // 23 and 25 hours.
  expect(starts('2026-03-29', '2026-03-29', 'Europe/Berlin')).toEqual([
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ]);
  expect(starts('2026-10-25', '2026-10-25', 'Europe/Berlin')).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
});

it('begins a day whose midnight does not exist with its first instant, and one with two with the first', () => {
  // Clocks in São Paulo went from 00:00 to 01:00, and back from 24:00 to 23:00.
  expect(starts('2018-11-04', '2018-11-04', 'America/Sao_Paulo')[0]).toBe('2018-11-04T03:00:00.000Z');
  expect(starts('2018-02-18', '2018-02-18', 'America/Sao_Paulo')[0]).toBe('2018-02-18T03:00:00.000Z');
  // Cuba goes from 01:00 back to 00:00.
  expect(starts('2026-11-01', '2026-11-01', 'America/Havana')[0]).toBe('2026-11-01T04:00:00.000Z');
});

it('keeps its order where a whole day was skipped', () => {
  const samoa = starts('2011-12-28', '2012-01-02', 'Pacific/Apia');
  expect(samoa).toEqual(samoa.toSorted());
});
