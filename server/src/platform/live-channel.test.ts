import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPositions, MERGE_MS, mergeNotices } from './live-channel.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first goes at once, a few more by their ids, many as one for all, and the last is never lost', () => {
  const told: string[] = [];
  const notices = mergeNotices((id) => told.push(id));
  notices.put('a');
  expect(told).toEqual(['a']);
  for (const id of ['b', 'a', 'b', 'a']) notices.put(id);
  expect(told).toEqual(['a']);
  vi.advanceTimersByTime(MERGE_MS);
  expect(told.splice(0)).toEqual(['a', 'b', 'a']);
  for (let i = 0; i < 60; i += 1) notices.put(`${i}`);
  vi.advanceTimersByTime(MERGE_MS);
  expect(told.splice(0)).toEqual(['']);
  notices.put('last');
  vi.advanceTimersByTime(MERGE_MS);
  expect(told.splice(0)).toEqual(['last']);
  vi.advanceTimersByTime(MERGE_MS);
  notices.put('much later');
  expect(told).toEqual(['much later']);
  notices.stop();
});

test('a page is current until somebody tells its account something, and never by a position that is not known here', () => {
  const { position, isCurrent, advance } = createPositions(2);
  const start = position();
  const areCurrent = (...uids: string[]) => uids.map((uid) => isCurrent(uid, start));
  expect(areCurrent('ann', 'bob')).toEqual([true, true]);
  advance('ann');
  expect(areCurrent('ann', 'bob')).toEqual([false, true]);
  expect(isCurrent('ann', position())).toBe(true);
  for (const foreign of ['', 'x', `other.${9}`, `${start.split('.')[0]}.x`, createPositions().position()])
    expect(isCurrent('bob', foreign)).toBe(false);
  advance('*');
  expect(areCurrent('bob')).toEqual([false]);
});

test('what doesn’t fit any more counts as told to everyone', () => {
  const { position, isCurrent, advance } = createPositions(1);
  advance('ann');
  const at = position();
  advance('bob');
  expect(isCurrent('carl', at)).toBe(false);
  expect(isCurrent('carl', position())).toBe(true);
});
