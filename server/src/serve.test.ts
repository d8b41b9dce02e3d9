import { calls, get, post, remove } from '@atelier/contract/calls';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { declaredKeys, declaredRule } from './access.ts';
import { serve } from './serve.ts';

const things = calls('/api/things', {
  show: get('/:thingId', 'showThing', 'One thing.', {
    who: 'public',
    query: z.object({ times: z.coerce.number().default(2) }),
    answer: z.object({ of: z.string() }),
  }),
  make: post('', 'makeThing', 'Makes a thing.', { keys: 'talk', body: z.object({ name: z.string() }), status: 201 }),
  drop: remove('/:thingId', 'dropThing', 'Drops a thing.', { who: 'public' }),
});
const show = ({ params, query }: { params: { thingId: string }; query: { times: number } }) => ({
  of: params.thingId.repeat(query.times),
});
const done = () => {};

it('serves each call at its address, with its rule, its input checked and its status', async () => {
  const routes = serve(
    things,
    { show, make: done, drop: done },
    { drop: [(c, next) => next().then(() => c.header('x', 'y'))] },
  );
  const shown = await routes.request('/api/things/ab?times=3');
  expect([shown.status, await shown.json()]).toEqual([200, { of: 'ababab' }]);
  expect((await routes.request('/api/things/ab?times=no')).status).toBe(500);
  const dropped = await routes.request('/api/things/ab', { method: 'DELETE' });
  expect([dropped.status, dropped.headers.get('x')]).toEqual([204, 'y']);
  const made = routes.routes.find(({ method, handler }) => method === 'POST' && declaredRule(handler) !== undefined);
  expect(made && [made.path, declaredRule(made.handler), declaredKeys(made.handler)]).toEqual([
    '/api/things',
    'user',
    'talk',
  ]);
});

it('compiles only with a handler for each call, and what fits its schemas', () => {
  // @ts-expect-error -- a call without a handler
  serve(things, { show, make: done });
  // @ts-expect-error -- a handler without a call
  serve(things, { show, make: done, drop: done, other: done });
  // @ts-expect-error -- another answer than the schema's
  serve(things, { show: () => ({ of: 1 }), make: done, drop: done });
  // @ts-expect-error -- a parameter that the path doesn't have
  serve(things, { show, make: ({ params }) => void params.thingId, drop: done });
  // @ts-expect-error -- a field that the body doesn't have
  serve(things, { show, make: ({ body }) => void body.other, drop: done });
  // @ts-expect-error -- the caller of a call that anyone may make
  serve(things, { show, make: done, drop: ({ caller }) => void caller.uid });
});
