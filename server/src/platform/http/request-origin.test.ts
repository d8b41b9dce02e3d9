import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { createRates } from '../bounds.ts';
import { knowsOrigin, requestOrigin } from './request-origin.ts';

it('finds of each kind sixty attempts a minute worth a note, from each network', async () => {
  let now = 0;
  const addressOf = (c: { req: { header(name: string): string | undefined } }) => c.req.header('from') ?? '';
  const app = new Hono()
    .use(
      knowsOrigin(
        addressOf,
        createRates(() => now),
      ),
    )
    .get('/:kind', (c) => c.json(requestOrigin.getStore()?.isWorthNoting(c.req.param('kind'))));
  const noted = async (kind: string, from: string, times: number) => {
    const answers = [];
    for (let i = 0; i < times; i += 1)
      answers.push(await (await app.request(`/${kind}`, { headers: { from } })).json());
    return answers.filter((isNoted) => isNoted === true).length;
  };
  expect(await noted('refused', '2001:db8:0:7::1', 50)).toBe(50);
  expect(await noted('refused', '2001:db8:0:7::2', 50)).toBe(10);
  expect(await noted('link_refused', '2001:db8:0:7::1', 50)).toBe(50);
  expect(await noted('refused', '203.0.113.7', 50)).toBe(50);
  now += 60_000;
  expect(await noted('refused', '2001:db8:0:7::1', 100)).toBe(60);
  expect(requestOrigin.getStore()).toBeUndefined();
});
