import { expect, test } from 'vitest';
import { boundedStream, createPlaces, createRates } from './bounds.ts';
import { createTurns } from './turns.ts';

test('a bucket gives its burst at once, then so many a minute, each key its own', () => {
  let now = 0;
  const rates = createRates(() => now);
  const rate = { burst: 3, perMinute: 30 };
  const take = (key = 'ada') => rates.take(key, rate);
  expect([take(), take(), take(), take(), take('bob')]).toEqual([0, 0, 0, 2, 0]);
  now += 1_000;
  expect(take()).toBe(1);
  now += 1_000;
  expect([take(), take()]).toEqual([0, 2]);
  now += 3_600_000;
  expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 2]);
});

test('a place is taken under every key or under none, and given back once', () => {
  const places = createPlaces();
  const enter = (who: string) =>
    places.enter([
      [who, 2],
      ['all', 3],
    ]);
  const first = enter('ada');
  expect([enter('ada') !== null, enter('ada'), enter('bob') !== null, enter('bob')]).toEqual([true, null, true, null]);
  first?.();
  first?.();
  expect([enter('bob') !== null, enter('ada')]).toEqual([true, null]);
});

test('streams take turns, so one that nobody reads holds back no other, and a short one is over after one', async () => {
  const turns = createTurns(1);
  const never = new AbortController().signal;
  const taken: string[] = [];
  const held = (owner: string, ...pieces: string[]) =>
    boundedStream(
      ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece))).getReader(),
      () => {},
      (read) => {
        taken.push(owner);
        return turns.take(owner, never, read);
      },
    );
  const long = 'a'.repeat(300_000);
  const unread = held('ada', long, long).getReader();
  expect((await unread.read()).value).toHaveLength(long.length);
  expect(await new Response(held('bob', 'b', 'b')).text()).toBe('bb');
  // Before something long a turn ends.
  expect(await new Response(held('cleo', 'c', '', 'c')).text()).toBe('cc');
  expect(taken).toEqual(['ada', 'bob', 'cleo', 'cleo']);
});

const endless = () => new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array([1])) });

test.each<[string, (leave: () => void) => Promise<unknown>]>([
  [
    'read to its end',
    (leave) => new Response(boundedStream((new Response('x').body ?? endless()).getReader(), leave)).text(),
  ],
  ['given up', (leave) => boundedStream(endless().getReader(), leave).cancel()],
  [
    'broken',
    (leave) => {
      const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('no')) });
      return new Response(boundedStream(broken.getReader(), leave)).text().catch(() => {});
    },
  ],
])('a stream that is %s gives its place back once', async (_how, use) => {
  let left = 0;
  await use(() => {
    left += 1;
  });
  expect(left).toBe(1);
});
