import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { beginInTurns } from './event-loop.ts';

it('lets the event loop turn between requests that come at once, and keeps their order', async () => {
  const begun: number[] = [];
  const turns = new Set<number>();
  let turn = 0;
  const count = () => {
    turn += 1;
    if (begun.length < 40) setImmediate(count);
  };
  setImmediate(count);
  const app = new Hono().use(beginInTurns()).get('/:i', (c) => {
    begun.push(Number(c.req.param('i')));
    turns.add(turn);
    for (const since = performance.now(); performance.now() - since < 3; );
    return c.text('');
  });
  await Promise.all(Array.from({ length: 40 }, (_, i) => app.request(`/${i}`)));
  expect(begun).toEqual(Array.from({ length: 40 }, (_, i) => i));
  expect(turns.size).toBeGreaterThan(5);
});
