import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Ending, McpConnection, McpTool } from '../../platform/mcp/mcp-connection.ts';
import { ConnectionKeeper, type PooledServer } from './connection-keeper.ts';
import { type Context, createKeepers, OperatorSource } from './operator/operator-source.ts';

const { signal } = new AbortController();
let keeper: ConnectionKeeper;
let opened: { isOpen: boolean; answers: boolean; tools: McpTool[] }[];
let mayStart: () => boolean;
beforeEach(() => {
  vi.useFakeTimers();
  keeper = new ConnectionKeeper({ each: 2, all: 3 });
  opened = [];
  mayStart = () => true;
});
afterEach(() => void vi.useRealTimers());

const serverOf = (key = 'crane', isShared = true): PooledServer => ({ key, isShared, open });
async function open() {
  if (!mayStart()) throw new Error('It runs already.');
  const { promise: closed, resolve } = Promise.withResolvers<Ending>();
  const one = { isOpen: true, answers: true, tools: [] };
  opened.push(one);
  const listTools = async () => {
    if (!one.answers) throw new Error('gone');
    return one.tools;
  };
  const close = async () => {
    one.isOpen = false;
    resolve({ how: '', lastLines: [] });
  };
  return { closed, listTools, close, number: opened.length } as unknown as McpConnection;
}
const numberOf = (connection: McpConnection): unknown => Reflect.get(connection, 'number');
/** Uses a connection until `done`. */
function using(server: PooledServer, conversation: string) {
  const { promise, resolve: done } = Promise.withResolvers<void>();
  const began = Promise.withResolvers<{ number: unknown; isAlone: () => boolean }>();
  const used = keeper.use(server, { conversation, signal }, async (connection, _now, isAlone) => {
    began.resolve({ number: numberOf(connection), isAlone });
    await promise;
  });
  used.catch(began.reject);
  return { began: began.promise, end: () => (done(), used) };
}
const numberFor = (server: PooledServer, conversation: string) =>
  keeper.use(server, { conversation, signal }, async (connection) => numberOf(connection));

describe('connections to tool servers', () => {
  it('serve one conversation at a time, each its own where that is free', async () => {
    const server = serverOf();
    const [a, b] = [using(server, 'a'), using(server, 'b')];
    expect([(await a.began).number, (await b.began).number]).toEqual([1, 2]);
    expect(await numberFor(server, 'b')).toBe(2);
    await Promise.all([a.end(), b.end()]);
    expect([await numberFor(server, 'b'), await numberFor(server, 'a'), await numberFor(server, 'c')]).toEqual([
      2, 1, 2,
    ]);
    expect(opened).toHaveLength(2);
  });

  it('are shared once there may be no more, and that is known', async () => {
    const server = serverOf();
    const all = ['a', 'b', 'c'].map((conversation) => using(server, conversation));
    const [a, b, c] = await Promise.all(all.map(({ began }) => began));
    expect([a?.isAlone(), b?.isAlone(), c?.isAlone()]).toEqual([false, true, false]);
    expect(opened).toHaveLength(2);
    await Promise.all(all.map(({ end }) => end()));
  });

  it('take the room of an idle one of another server, but a first one is always allowed', async () => {
    const states = () => opened.map(({ isOpen }) => isOpen);
    await keeper.connected(serverOf('idle'));
    const busy = ['one', 'two', 'three'].map((key) => using(serverOf(key), 'a'));
    await Promise.all(busy.map(({ began }) => began));
    expect(states()).toEqual([false, true, true, true]);
    const first = using(serverOf('four'), 'a');
    const second = using(serverOf('one'), 'b');
    expect([(await first.began).isAlone(), (await second.began).isAlone()]).toEqual([true, false]);
    expect(states()).toEqual([false, true, true, true, true]);
    await Promise.all([...busy, first, second].map(({ end }) => end()));
  });

  it('leave idle ones alone for a server that failed just now', async () => {
    const [idle, resting] = [serverOf('idle'), { ...serverOf('resting'), isResting: () => true }];
    await keeper.connected(idle);
    const busy = [using(resting, 'a'), using(serverOf('one'), 'a')];
    await Promise.all(busy.map(({ began }) => began));
    const shared = using(resting, 'b');
    expect((await shared.began).isAlone()).toBe(false);
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([true, true, true]);
    await Promise.all([...busy, shared].map(({ end }) => end()));
  });

  it('know the latest list, whichever of them it came over', async () => {
    const server = serverOf();
    const both = [using(server, 'a'), using(server, 'b')];
    await Promise.all(both.map(({ began }) => began));
    await Promise.all(both.map(({ end }) => end()));
    const later = [{ name: 'lift' }] as McpTool[];
    Object.assign(opened[1] ?? {}, { tools: later });
    await numberFor(server, 'b');
    for (let look = 0; look < 3; look += 1) expect(await keeper.connected(server)).toBe(later);
    expect(keeper.listed(server)).toBe(later);
  });

  it('are for one conversation only where a server is not shared, however many there are', async () => {
    const own = serverOf('own', false);
    const all = ['a', 'b', 'c', 'd'].map((conversation) => using(own, conversation));
    expect((await Promise.all(all.map(({ began }) => began))).map((one) => one.number)).toEqual([1, 2, 3, 4]);
    await Promise.all(all.map(({ end }) => end()));
    expect([await numberFor(own, 'b'), await numberFor(own, 'e')]).toEqual([2, 5]);
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, true, true, true, true]);
    keeper.drop('own');
    await vi.waitFor(() => expect(opened.every(({ isOpen }) => !isOpen)).toBe(true));
  });

  it('end when they are idle for ten minutes', async () => {
    const server = serverOf();
    await keeper.connected(server);
    await vi.advanceTimersByTimeAsync(9 * 60_000);
    await numberFor(server, 'a');
    await vi.advanceTimersByTimeAsync(9 * 60_000);
    expect(opened).toMatchObject([{ isOpen: true }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(opened).toMatchObject([{ isOpen: false }]);
    expect(keeper.listed(server)).toBeUndefined();
    expect(await numberFor(server, 'a')).toBe(2);
  });

  it('are begun again when they ended unseen, and shared where a program can’t run twice', async () => {
    const server = serverOf();
    await numberFor(server, 'a');
    for (const one of opened) one.answers = false;
    expect(await Promise.all([numberFor(server, 'a'), numberFor(server, 'a')])).toEqual([2, 2]);
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, true]);
    mayStart = () => false;
    const a = using(server, 'a');
    await a.began;
    const b = using(server, 'b');
    expect((await b.began).isAlone()).toBe(false);
    await Promise.all([a.end(), b.end()]);
    await keeper.close();
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  });
});

it('a server of the operator that failed is not started again for a moment, except by a check', async () => {
  vi.useRealTimers();
  const failures: unknown[] = [];
  const log = { info: () => {}, error: (...line: unknown[]) => void failures.push(line) };
  const server = { command: '/nowhere/at-all', args: [], env: {} };
  const ctx = { config: { DATA_DIR: tmpdir() }, log } as unknown as Context;
  const link = new OperatorSource(ctx, { name: 'crane', key: 'crane', setup: { server } }, createKeepers());
  for (const conversation of ['a', 'b'])
    await expect(link.use({ conversation, signal }, async () => {})).rejects.toThrow('was not found');
  expect(failures).toHaveLength(1);
  expect(await link.check()).toMatchObject({ state: 'failed', reason: expect.stringContaining('was not found') });
  expect(failures).toHaveLength(2);
});
