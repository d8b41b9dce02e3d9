import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLiveHub, type HubMessage, reconnectDelay, type Stream } from './live-hub.ts';

/** Stands for the browser's EventSource, whose events the test sends. */
class FakeStream implements Stream {
  readyState = 0;
  closed = false;
  readonly #listeners = new Map<string, (event: MessageEvent<string>) => void>();
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void) {
    this.#listeners.set(type, listener);
  }
  close() {
    this.closed = true;
  }
  send(type: string, data: unknown = {}) {
    this.#listeners.get(type)?.(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
  fail(readyState: 0 | 2) {
    this.readyState = readyState;
    this.send('error');
  }
}

function setUp() {
  const streams: FakeStream[] = [];
  const opened: (string | undefined)[] = [];
  const hub = createLiveHub((since) => {
    opened.push(since);
    const stream = new FakeStream();
    streams.push(stream);
    return stream;
  });
  const tab = (uid: string, since?: string) => {
    const heard: HubMessage[] = [];
    const tell = hub.join((message) => heard.push(message));
    tell({ type: 'follow', uid, since });
    return { heard, tell, events: () => heard.map((m) => m.event) };
  };
  const open = () => streams.filter((s) => !s.closed);
  const newest = () => streams.at(-1) ?? expect.fail('no stream');
  return { streams, opened, tab, open, newest };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the one stream of a browser', () => {
  it('serves eight tabs with one connection', () => {
    const { tab, streams, newest } = setUp();
    const tabs = Array.from({ length: 8 }, () => tab('ann'));
    newest().send('delta', { text: 'hi' });
    expect(streams).toHaveLength(1);
    expect(tabs.map((t) => t.events())).toEqual(Array(8).fill(['delta']));
  });

  it('begins where the tab had read that opened it; a tab that came meanwhile, and everyone after a break, reads again', () => {
    const { tab, opened, newest } = setUp();
    const [first, second] = [tab('ann', 'here.3'), tab('ann', 'here.2')];
    newest().send('hello', { isCurrent: true });
    const saysCurrent = ({ heard }: typeof first) => JSON.parse(heard.at(-1)?.data ?? '').isCurrent === true;
    expect([first, second].map(saysCurrent)).toEqual([true, false]);
    newest().fail(0);
    vi.advanceTimersByTime(reconnectDelay(1));
    expect(opened).toEqual(['here.3', undefined]);
  });

  it('outlives the tab that opened it and ends with the last', () => {
    const { tab, open } = setUp();
    const [first, second] = [tab('ann'), tab('ann')];
    first.tell({ type: 'leave' });
    expect(open()).toHaveLength(1);
    second.tell({ type: 'leave' });
    expect(open()).toHaveLength(0);
  });

  it('greets a tab that comes later, so that it fetches again', () => {
    const { tab, newest } = setUp();
    tab('ann');
    newest().send('hello', { at: 'now' });
    expect(tab('ann').events()).toEqual(['hello']);
  });

  it('connects again after a break, and passes the new greeting on', () => {
    const { tab, streams, open, newest } = setUp();
    const ann = tab('ann');
    newest().send('hello', { at: '1' });
    newest().fail(0);
    vi.advanceTimersByTime(reconnectDelay(1));
    newest().send('hello', { at: '2' });
    expect([streams.length, open().length]).toEqual([2, 1]);
    expect(ann.events()).toEqual(['hello', 'lost', 'hello']);
  });

  it('backs off while the server is away, and tells tabs to ask who is signed in where it refuses', () => {
    const { tab, streams, newest } = setUp();
    const ann = tab('ann');
    newest().fail(2);
    expect(ann.heard).toMatchObject([{ event: 'changed', data: '{"topic":"auth","id":""}' }]);
    vi.advanceTimersByTime(reconnectDelay(1));
    newest().fail(0);
    vi.advanceTimersByTime(reconnectDelay(2) - 1);
    expect(streams).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(streams).toHaveLength(3);
    expect([1, 2, 3, 6, 9].map(reconnectDelay)).toEqual([500, 1000, 2000, 15_000, 15_000]);
  });
});

describe('another user signs in', () => {
  it('opens a stream of their own; tabs that still show the old one hear nothing of it', () => {
    const { tab, streams, open, newest } = setUp();
    const ann = tab('ann');
    const bob = tab('bob');
    newest().send('delta', { text: 'for bob' });
    streams[0]?.send('delta', { text: 'for ann' });
    expect(open()).toEqual([newest()]);
    expect(ann.heard).toEqual([]);
    expect(bob.events()).toEqual(['delta']);
  });

  it('passes nothing on from a stream that turns out to be of another user', () => {
    const { tab, open, newest } = setUp();
    const ann = tab('ann');
    const stream = newest();
    stream.send('hello', { at: 'now', uid: 'bob' });
    stream.send('delta', { text: 'for bob' });
    expect(ann.events()).toEqual(['changed']);
    expect(open()).toHaveLength(0);
  });

  it('returns to the user of the tabs that are left', () => {
    const { tab, open, newest } = setUp();
    const ann = tab('ann');
    const bob = tab('bob');
    bob.tell({ type: 'leave' });
    newest().send('delta', {});
    expect(open()).toHaveLength(1);
    expect(ann.events()).toEqual(['delta']);
  });
});
