import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MERGE_MS, mergeNotices } from './live-channel.ts';

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
