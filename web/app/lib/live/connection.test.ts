import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createConnectionWatch } from './connection.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const world = { answers: true, network: true, looks: 0 };
  const watch = createConnectionWatch(
    async () => {
      world.looks += 1;
      return world.answers;
    },
    () => world.network,
  );
  const heard: string[] = [];
  watch.subscribe(() => heard.push(watch.read()));
  return { world, watch, heard };
}

it('believes one lost request only after a look of its own, and comes back by itself', async () => {
  const { world, watch, heard } = setUp();
  watch.suspect();
  await vi.advanceTimersByTimeAsync(0);
  expect(heard).toEqual([]);
  world.answers = false;
  watch.suspect();
  watch.suspect();
  await vi.advanceTimersByTimeAsync(0);
  expect([heard, world.looks]).toEqual([['unreachable'], 2]);
  world.answers = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect([heard, world.looks]).toEqual([['unreachable', 'up'], 3]);
});

it('says offline where the browser has no network, and up at once when something gets through', async () => {
  const { world, watch, heard } = setUp();
  Object.assign(world, { answers: false, network: false });
  watch.suspect();
  await vi.advanceTimersByTimeAsync(0);
  watch.confirm();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([heard, world.looks]).toEqual([['offline', 'up'], 1]);
});

it('waits a little for a stream that broke, and does not look where it is back', async () => {
  const { world, watch, heard } = setUp();
  world.answers = false;
  watch.streamBroke();
  await vi.advanceTimersByTimeAsync(1000);
  watch.confirm();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([heard, world.looks]).toEqual([[], 0]);
  watch.streamBroke();
  await vi.advanceTimersByTimeAsync(3000);
  expect(heard).toEqual(['unreachable']);
});
