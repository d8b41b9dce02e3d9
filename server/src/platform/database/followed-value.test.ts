import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveListener } from '../live.ts';
import { silentLog } from '../log.ts';
import { followStored } from './followed-value.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Reads that end when and how the test says. */
function follow() {
  const reads: PromiseWithResolvers<string>[] = [];
  const applied: string[] = [];
  let tell: LiveListener | undefined;
  const subscribe = (_uid: string, listener: LiveListener) => {
    tell = listener;
    return () => (tell = undefined);
  };
  const live = { subscribe };
  const known = followStored(
    { live, log: silentLog },
    {
      name: 'test',
      read: () => {
        const read = Promise.withResolvers<string>();
        reads.push(read);
        return read.promise;
      },
      concerns: ({ topic }) => topic === 'settings',
      apply: (value) => applied.push(value),
    },
  );
  const notice = () => tell?.({ event: 'changed', data: { topic: 'settings', id: '' } });
  return { known, reads, applied, notice };
}

test('of reads at once the newest counts, whichever ends last', async () => {
  const { known, reads, applied, notice } = follow();
  const first = known.now();
  notice();
  reads[1]?.resolve('new');
  await vi.advanceTimersByTimeAsync(0);
  reads[0]?.resolve('old');
  expect([await first, await known.now(), applied]).toEqual(['new', 'new', ['new']]);
});

test('a read that fails is tried again, and what was read last counts meanwhile', async () => {
  const { known, reads, notice } = follow();
  const asked = [known.now(), known.now()];
  reads[0]?.reject(new Error('away'));
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await vi.advanceTimersByTimeAsync(1_000);
  reads[1]?.resolve('first');
  await vi.advanceTimersByTimeAsync(0);
  notice();
  reads[2]?.reject(new Error('away'));
  await vi.advanceTimersByTimeAsync(0);
  expect(await known.now()).toBe('first');
  await vi.advanceTimersByTimeAsync(1_000);
  reads[3]?.resolve('second');
  await vi.advanceTimersByTimeAsync(0);
  expect([await known.now(), reads.length]).toEqual(['second', 4]);
});

test('who asks while a change is being read gets the change', async () => {
  const { known, reads, notice } = follow();
  const before = known.now();
  reads[0]?.resolve('before');
  expect(await before).toBe('before');
  notice();
  const told = [known.now(), known.now()];
  reads[1]?.resolve('after');
  expect([await Promise.all(told), reads.length]).toEqual([['after', 'after'], 2]);
});

test('nothing is read once it is stopped', async () => {
  const { known, reads, notice } = follow();
  notice();
  known.stop();
  reads[0]?.reject(new Error('away'));
  notice();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reads).toHaveLength(1);
});
