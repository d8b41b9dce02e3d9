import { expect, it } from 'vitest';
import { createIndexCache, type Loaded } from './index-cache.ts';

const LARGE = 100 * 1024 * 1024;

const row = (id: string, text: string, more: Partial<Loaded> = {}): Loaded => ({
  id,
  sessionId: 's',
  kind: 'person',
  speaker: null,
  text,
  at: Date.UTC(2026, 0, 1),
  forgotten: false,
  ...more,
});
const load = (key: string, rows: Loaded[], version = 1, from = -1) =>
  ({ type: 'load', key, version, from, rows }) as const;
const rank = (key: string, text: string, version = 1) => ({ type: 'rank', key, version, text, limit: 5 }) as const;
const ids = (reply: ReturnType<ReturnType<typeof createIndexCache>['handle']>) =>
  reply.type === 'ranked' ? reply.ranked.map((r) => r.id) : [reply.type];

it('asks for the load of an agent that it does not hold, then answers', () => {
  const cache = createIndexCache(LARGE);
  expect(cache.handle(rank('ada', 'boat'))).toEqual({ type: 'stale', from: -1 });
  cache.handle(load('ada', [row('1', 'The boat is red'), row('2', 'I like tea', { sessionId: 't' })]));
  expect(ids(cache.handle(rank('ada', 'boat')))).toEqual(['1']);
});

it('asks only for what came later, and takes it in', () => {
  const cache = createIndexCache(LARGE);
  cache.handle(load('ada', [row('1', 'The boat is red')]));
  expect(cache.handle(rank('ada', 'boat', 2))).toEqual({ type: 'stale', from: 1 });
  cache.handle(load('ada', [row('2', 'The boat has a sail')], 2, 1));
  expect(ids(cache.handle(rank('ada', 'boat', 2))).sort()).toEqual(['1', '2']);
});

it('answers a question that is older than what it holds', () => {
  const cache = createIndexCache(LARGE);
  cache.handle(load('ada', [row('1', 'The boat is red')], 5));
  expect(ids(cache.handle(rank('ada', 'boat', 3)))).toEqual(['1']);
});

it('drops what was forgotten and ignores what it has already', () => {
  const cache = createIndexCache(LARGE);
  const rows = [row('1', 'The boat is red'), row('2', 'The boat has a sail')];
  cache.handle(load('ada', rows));
  cache.handle(load('ada', [rows[1] ?? row('2', ''), row('1', '', { forgotten: true })], 2, 1));
  expect(ids(cache.handle(rank('ada', 'boat', 2)))).toEqual(['2']);
});

it('keeps agents apart', () => {
  const cache = createIndexCache(LARGE);
  cache.handle(load('ada', [row('1', 'The boat is red')]));
  cache.handle(load('bob', [row('2', 'The boat is blue')]));
  expect(ids(cache.handle(rank('ada', 'boat')))).toEqual(['1']);
  expect(ids(cache.handle(rank('bob', 'boat')))).toEqual(['2']);
});

const many = (prefix: string) =>
  Array.from({ length: 50 }, (_, i) => row(`${prefix}${i}`, `${prefix} number ${i} of many other boats`));

it('evicts, within its bytes, the agent that was asked longest ago', () => {
  const probe = createIndexCache(LARGE);
  probe.handle(load('a', many('a')));
  const cache = createIndexCache(probe.bytes() * 2.5);
  for (const key of ['a', 'b']) cache.handle(load(key, many(key)));
  cache.handle(rank('a', 'boats'));
  cache.handle(load('c', many('c')));
  expect(cache.keys()).toEqual(['a', 'c']);
  expect(cache.bytes()).toBeLessThanOrEqual(probe.bytes() * 2.5);
  expect(cache.handle(rank('b', 'boats'))).toEqual({ type: 'stale', from: -1 });
  cache.handle(load('b', many('b')));
  expect(cache.keys()).toEqual(['c', 'b']);
  expect(ids(cache.handle(rank('b', 'number 7')))).toContain('b7');
});

it('keeps the one in use, however large it is', () => {
  const cache = createIndexCache(1);
  cache.handle(load('a', many('a')));
  cache.handle(load('b', many('b')));
  expect(cache.keys()).toEqual(['b']);
  expect(ids(cache.handle(rank('b', 'boats')))).toHaveLength(5);
});

it('does not take what came later for the whole, where the rest was evicted in between', () => {
  const cache = createIndexCache(1);
  cache.handle(load('a', many('a')));
  expect(cache.handle(rank('a', 'boats', 2))).toEqual({ type: 'stale', from: 1 });
  cache.handle(load('b', many('b')));
  expect(cache.handle(load('a', [row('late', 'a late boat')], 2, 1))).toEqual({ type: 'stale', from: -1 });
  expect(cache.handle(rank('a', 'boats', 2))).toEqual({ type: 'stale', from: -1 });
});

it('counts its bytes as its indexes grow and go', () => {
  const cache = createIndexCache(LARGE);
  expect(cache.handle({ type: 'size' })).toEqual({ type: 'size', indexes: 0, bytes: 0 });
  cache.handle(load('a', many('a')));
  const one = cache.bytes();
  cache.handle(load('b', many('b')));
  cache.handle(load('a', [row('late', 'a late boat')], 2, 1));
  expect(cache.bytes()).toBeGreaterThan(one);
  const small = createIndexCache(1);
  for (const key of ['a', 'b', 'c']) small.handle(load(key, many(key)));
  expect(small.bytes()).toBeLessThanOrEqual(one * 1.1);
});

it('builds an index again where more was forgotten than is left', () => {
  const cache = createIndexCache(LARGE);
  const rows = Array.from({ length: 1_200 }, (_, i) => row(`a${i}`, `boat number ${i}`));
  cache.handle(load('a', rows));
  cache.handle(
    load(
      'a',
      rows.slice(0, 500).map(({ id }) => row(id, '', { forgotten: true })),
      2,
      1,
    ),
  );
  expect(cache.keys()).toEqual(['a']);
  cache.handle(
    load(
      'a',
      rows.slice(500, 1_100).map(({ id }) => row(id, '', { forgotten: true })),
      3,
      2,
    ),
  );
  expect(cache.handle(rank('a', 'boat', 3))).toEqual({ type: 'stale', from: -1 });
  expect(cache.bytes()).toBe(0);
});
