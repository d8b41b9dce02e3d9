import { expect, test } from 'vitest';
import { groupByDay, untilTomorrow } from './session-groups.tsx';
import { session } from './test-session.ts';

const begun = (at: Date, pinned = false) => session('s1', { createdAt: at.toISOString(), pinned });
// Local times: the groups follow the clock on the wall, also where it was set back meanwhile.
const now = new Date(2026, 10, 23, 0, 30);
const labels = (...dates: Date[]) =>
  groupByDay(
    dates.map((date) => begun(date)),
    now,
  ).map((group) => group.label);

test('groups by days of the calendar, then by months', () => {
  expect(
    labels(
      new Date(2026, 10, 23, 0, 1),
      new Date(2026, 10, 22, 23, 59),
      new Date(2026, 10, 22, 0, 0),
      new Date(2026, 10, 21, 23, 59),
      new Date(2026, 10, 16, 0, 0),
      new Date(2026, 10, 15, 23, 59),
      new Date(2026, 9, 24, 12, 0),
      new Date(2026, 9, 23, 12, 0),
      new Date(2025, 9, 23, 12, 0),
    ),
  ).toEqual(['Today', 'Yesterday', 'Previous 7 days', 'Previous 30 days', 'October 2026', 'October 2025']);
});

test('a clock that is behind the server’s still says today', () => {
  expect(labels(new Date(2026, 10, 23, 9, 0), new Date(2026, 10, 24, 9, 0))).toEqual(['Today']);
});

test('pinned sessions come under one heading, whenever they began', () => {
  const old = begun(new Date(2024, 0, 1), true);
  const groups = groupByDay([begun(new Date(2026, 10, 23), true), old, begun(new Date(2026, 10, 23))], now);
  expect(groups.map((group) => [group.label, group.sessions.length])).toEqual([
    ['Pinned', 2],
    ['Today', 1],
  ]);
  expect(groupByDay([], now)).toEqual([]);
});

test('knows when the day ends', () => {
  expect(untilTomorrow(new Date(2026, 10, 23, 23, 59, 59))).toBe(1000);
});
