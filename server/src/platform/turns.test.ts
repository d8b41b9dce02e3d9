import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const never = new AbortController().signal;

/** Work that lasts until it is told to end, with a list of what was begun. */
function workshop(places: number) {
  const turns = createTurns(places);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    bring(owner: string, name: string, { signal = never, before = 0 } = {}) {
      const work = () =>
        new Promise<void>((resolve) => {
          begun.push(name);
          ends.set(name, resolve);
        });
      return turns.take(owner, signal, work, before);
    },
    /** Everything that follows from what was done happens before the loop turns. */
    settle: () => setImmediate(),
    end(name: string) {
      ends.get(name)?.();
      return setImmediate();
    },
  };
}

test('one owner has one place, whatever is free', async () => {
  const shop = workshop(3);
  for (const name of ['a1', 'a2', 'a3']) void shop.bring('a', name);
  void shop.bring('b', 'b1');
  await shop.settle();
  expect(shop.begun).toEqual(['a1', 'b1']);
  await shop.end('a1');
  expect(shop.begun).toEqual(['a1', 'b1', 'a2']);
});

test('a free place goes to the owner whose turn is longest ago', async () => {
  const shop = workshop(1);
  for (const name of ['a1', 'a2', 'a3']) void shop.bring('a', name);
  void shop.bring('b', 'b1');
  void shop.bring('c', 'c1');
  await shop.settle();
  for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) await shop.end(name);
  expect(shop.begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
});

test('of work in many turns, that which had the fewest goes first', async () => {
  const shop = workshop(1);
  void shop.bring('a', 'a9', { before: 9 });
  void shop.bring('b', 'b8', { before: 8 });
  void shop.bring('c', 'c0');
  await shop.settle();
  await shop.end('a9');
  void shop.bring('a', 'a10', { before: 10 });
  void shop.bring('d', 'd1', { before: 1 });
  void shop.bring('b', 'b0');
  for (const name of ['c0', 'b0', 'd1', 'b8', 'a10']) await shop.end(name);
  expect(shop.begun).toEqual(['a9', 'c0', 'b0', 'd1', 'b8', 'a10']);
});

test('who gives up leaves the line, and failed work gives its place back', async () => {
  const shop = workshop(1);
  void shop.bring('a', 'a1');
  const gone = new AbortController();
  const waiting = shop.bring('b', 'b1', { signal: gone.signal });
  void shop.bring('b', 'b2');
  await shop.settle();
  gone.abort(new Error('too late'));
  await expect(waiting).rejects.toThrow('too late');
  await shop.end('a1');
  expect(shop.begun).toEqual(['a1', 'b2']);
  const turns = createTurns(1);
  await expect(turns.take('a', never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.take('a', never, async () => 'next')).toBe('next');
});
