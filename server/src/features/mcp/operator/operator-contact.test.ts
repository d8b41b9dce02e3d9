import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Ending, McpConnection } from '../../../platform/mcp/mcp-connection.ts';
import { type ContactPool, OperatorContact } from './operator-contact.ts';

let pool: ContactPool;
let opened: { isOpen: boolean; answers: boolean }[];
let mayStart: () => boolean;
beforeEach(() => {
  vi.useFakeTimers();
  pool = { links: new Set(), each: 2, all: 3 };
  opened = [];
  mayStart = () => true;
});
afterEach(() => void vi.useRealTimers());

const contact = () => new OperatorContact({ pool, begin, secrets: [], failed: () => {}, ended: () => {} });
async function begin() {
  if (!mayStart()) throw new Error('It runs already.');
  const { promise: closed, resolve } = Promise.withResolvers<Ending>();
  const one = { isOpen: true, answers: true };
  opened.push(one);
  const listTools = async () => {
    if (!one.answers) throw new Error('gone');
    return [];
  };
  const close = async () => {
    one.isOpen = false;
    resolve({ how: '', lastLines: [] });
  };
  return { connection: { closed, listTools, close, number: opened.length } as unknown as McpConnection, tools: [] };
}
const numberOf = (connection: McpConnection): unknown => Reflect.get(connection, 'number');
/** Uses a connection until `done`. */
function using(server: OperatorContact, conversation: string) {
  const { promise, resolve: done } = Promise.withResolvers<void>();
  const began = Promise.withResolvers<{ number: unknown; isAlone: () => boolean }>();
  const used = server.use(conversation, async (connection, _now, isAlone) => {
    began.resolve({ number: numberOf(connection), isAlone });
    await promise;
  });
  used.catch(began.reject);
  return { began: began.promise, end: () => (done(), used) };
}
const numberFor = (server: OperatorContact, conversation: string) =>
  server.use(conversation, async (connection) => numberOf(connection));

describe('connections to a server of the operator', () => {
  it('serve one conversation at a time, each its own where that is free', async () => {
    const server = contact();
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
    const server = contact();
    const all = ['a', 'b', 'c'].map((conversation) => using(server, conversation));
    const [a, b, c] = await Promise.all(all.map(({ began }) => began));
    expect([a?.isAlone(), b?.isAlone(), c?.isAlone()]).toEqual([false, true, false]);
    expect(opened).toHaveLength(2);
    await Promise.all(all.map(({ end }) => end()));
  });

  it('take the room of an idle one of another server, but a first one is always allowed', async () => {
    const servers = [contact(), contact(), contact(), contact()];
    await servers[0]?.connected();
    const busy = servers.slice(1).map((server) => using(server, 'a'));
    await Promise.all(busy.map(({ began }) => began));
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([true, true, true, true]);
    const [, second] = servers;
    const more = second === undefined ? undefined : using(second, 'b');
    expect((await more?.began)?.isAlone()).toBe(true);
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, true, true, true, true]);
    await Promise.all([...busy, more].map((one) => one?.end()));
  });

  it('end when they are idle for ten minutes', async () => {
    const server = contact();
    await server.connected();
    await vi.advanceTimersByTimeAsync(9 * 60_000);
    await numberFor(server, 'a');
    await vi.advanceTimersByTimeAsync(9 * 60_000);
    expect(opened).toEqual([{ isOpen: true, answers: true }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(opened).toEqual([{ isOpen: false, answers: true }]);
    expect(pool.links.size).toBe(0);
    expect(await numberFor(server, 'a')).toBe(2);
  });

  it('are begun again when they ended unseen, and shared where a program can’t run twice', async () => {
    const server = contact();
    await numberFor(server, 'a');
    for (const one of opened) one.answers = false;
    expect(await numberFor(server, 'a')).toBe(2);
    mayStart = () => false;
    const a = using(server, 'a');
    await a.began;
    const b = using(server, 'b');
    expect((await b.began).isAlone()).toBe(false);
    await Promise.all([a.end(), b.end()]);
    await server.close();
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  });

  it('are not begun for a moment after a failure', async () => {
    mayStart = () => false;
    const server = contact();
    await expect(numberFor(server, 'a')).rejects.toThrow('It runs already.');
    mayStart = () => true;
    await expect(numberFor(server, 'a')).rejects.toThrow('It runs already.');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await numberFor(server, 'a')).toBe(1);
  });
});
