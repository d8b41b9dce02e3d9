import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRefresher, nextRefresh, retryDelay } from './refresh-schedule.ts';

const MINUTE = 60_000;

describe('when a session is renewed', () => {
  it('waits until 5 minutes before its end', () => {
    expect(nextRefresh({ expiresAt: 60 * MINUTE, now: 0, failures: 0, askedAt: null })).toBe(55 * MINUTE);
  });
  it('asks at once where less than that is left', () => {
    expect(nextRefresh({ expiresAt: 2 * MINUTE, now: 0, failures: 0, askedAt: null })).toBe(0);
  });
  it('does not ask in a loop where the server does not prolong it', () => {
    expect(nextRefresh({ expiresAt: 2 * MINUTE, now: 1000, failures: 0, askedAt: 1000 })).toBe(30_000);
  });
  it('backs off from 30 s, doubling, up to 16 minutes', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 20].map((failures) => retryDelay(failures) / 1000);
    expect(seconds).toEqual([30, 60, 120, 240, 480, 960, 960, 960]);
  });
  it('never exceeds what a timer can hold', () => {
    expect(nextRefresh({ expiresAt: 1e12, now: 0, failures: 0, askedAt: null })).toBe(2 ** 31 - 1);
  });
});

describe('the refresher', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it('renews ahead of the end and follows the new end', async () => {
    const refresh = vi.fn(async () => Date.now() + 60 * MINUTE);
    createRefresher(refresh).follow(60 * MINUTE);
    await vi.advanceTimersByTimeAsync(55 * MINUTE - 1);
    expect(refresh).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(refresh).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(55 * MINUTE);
    expect(refresh).toHaveBeenCalledTimes(2);
  });

  it('tries again with growing pauses, and returns to the plan after a success', async () => {
    const answers = [false, false, false, true];
    const refresh = vi.fn(async () => {
      if (!answers.shift()) throw new Error('no answer');
      return Date.now() + 60 * MINUTE;
    });
    createRefresher(refresh).follow(5 * MINUTE);
    const counts: number[] = [];
    for (const wait of [0, 30_000, 60_000, 120_000, 55 * MINUTE]) {
      await vi.advanceTimersByTimeAsync(wait);
      counts.push(refresh.mock.calls.length);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5]);
  });

  it('stops where the session is gone', async () => {
    const refresh = vi.fn(async () => null);
    createRefresher(refresh).follow(0);
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits past the longest timer for a far end', async () => {
    const month = 30 * 24 * 60 * MINUTE;
    const refresh = vi.fn(async () => null);
    createRefresher(refresh).follow(month);
    await vi.advanceTimersByTimeAsync(2 ** 31);
    expect(refresh).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(month - 2 ** 31);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it('forgets a session that was replaced while it was being renewed', async () => {
    let answer: (end: number) => void = () => {};
    const refresh = vi.fn(() => new Promise<number>((resolve) => (answer = resolve)));
    const refresher = createRefresher(refresh);
    refresher.follow(0);
    await vi.advanceTimersByTimeAsync(0);
    refresher.stop();
    answer(60 * MINUTE);
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(refresh).toHaveBeenCalledTimes(1);
  });
});
