import type { Session } from '@atelier/contract/sessions';
import { expect, test } from 'vitest';
import { groupByDay, untilTomorrow } from './session-groups.tsx';

const session = (createdAt: Date, pinned = false): Session => ({
  id: createdAt.toISOString(),
  name: 'n',
  createdAt: createdAt.toISOString(),
  agentId: 'a',
  agentName: 'A',
  agentDeleted: false,
  pinned,
  archived: false,
  folderId: null,
});
// Local times: the groups follow the clock on the wall, also where it was set back meanwhile.
const now = new Date(2026, 10, 23, 0, 30);
const labels = (...dates: Date[]) =>
  groupByDay(
    dates.map((date) => session(date)),
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
  const old = session(new Date(2024, 0, 1), true);
  const groups = groupByDay([session(new Date(2026, 10, 23), true), old, session(new Date(2026, 10, 23))], now);
  expect(groups.map((group) => [group.label, group.sessions.length])).toEqual([
    ['Pinned', 2],
    ['Today', 1],
  ]);
  expect(groupByDay([], now)).toEqual([]);
});

test('knows when the day ends', () => {
  expect(untilTomorrow(new Date(2026, 10, 23, 23, 59, 59))).toBe(1000);
});
