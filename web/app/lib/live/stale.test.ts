import { topic } from '@atelier/contract/live';
import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keys, queryClient } from '../query.ts';
import { refresh, staleKeys } from './stale.ts';

describe('what a change makes stale', () => {
  it.each([
    ['tasks', 's1', [['tasks', 's1'], ['memories'], ['search'], ['usage']]],
    ['tasks', '', [['tasks'], ['memories'], ['search'], ['usage']]],
    [
      'explore',
      'u1/tea/time',
      [['explore', 'agent', 'u1', 'tea/time'], ['favorites'], ['agents', 'upstream'], ['search']],
    ],
    ['explore', '', [['explore'], ['favorites'], ['agents', 'upstream'], ['search']]],
    ['queue', 's1', [['queue', 's1']]],
    ['queue', '', [['queue']]],
  ] as const)('%s %s', (changed, id, stale) => {
    expect(staleKeys(changed, id)).toEqual(stale);
  });

  it('is known for every topic, and covers everything that is cached', () => {
    const covered = topic.options.flatMap((changed) => staleKeys(changed, '')).map(([first]) => first);
    const cached = Object.values(keys).map((key) =>
      typeof key === 'function' ? Reflect.apply(key, null, [''])[0] : key[0],
    );
    expect(new Set(covered)).toEqual(new Set(cached));
  });
});

describe('fetching again', () => {
  let asked: number;
  let answer: (() => void)[];
  let stop: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    asked = 0;
    answer = [];
    const queryFn = () => {
      asked += 1;
      const now = asked;
      return new Promise<number>((done) => answer.push(() => done(now)));
    };
    stop = new QueryObserver(queryClient, { queryKey: keys.favorites, queryFn }).subscribe(() => {});
  });
  afterEach(() => {
    stop();
    queryClient.clear();
    vi.useRealTimers();
  });
  const arrive = async () => {
    answer.pop()?.();
    await vi.advanceTimersByTimeAsync(200);
  };

  it('starts over where a change comes while the first answer is on its way', async () => {
    await arrive();
    refresh('favorites');
    expect(asked).toBe(2);
    await arrive();
    expect(queryClient.getQueryData(keys.favorites)).toBe(2);
  });

  it('asks once for all the changes that come while it asks, however many', async () => {
    await arrive();
    for (let i = 0; i < 60; i += 1) refresh('favorites');
    expect(asked).toBe(2);
    await arrive();
    expect(asked).toBe(3);
    await arrive();
    await arrive();
    expect(asked).toBe(3);
    expect(queryClient.getQueryData(keys.favorites)).toBe(3);
  });
});

describe('a list whose next page is asked for', () => {
  let answers: (() => void)[] = [];
  /** What the server has: a change makes it the next one. */
  let version = 1;
  const follow = () =>
    new InfiniteQueryObserver(queryClient, {
      queryKey: keys.favorites,
      queryFn: ({ pageParam }) =>
        new Promise<string>((done) => {
          const answer = `page ${pageParam} of version ${version}`;
          answers.push(() => done(answer));
        }),
      initialPageParam: 1,
      getNextPageParam: (_last, pages) => pages.length + 1,
    });
  const arrive = async () => {
    for (const answer of answers.splice(0)) answer();
    await vi.advanceTimersByTimeAsync(250);
  };
  const shown = () => queryClient.getQueryData<{ pages: string[] }>(keys.favorites)?.pages;
  let list: ReturnType<typeof follow>;
  let stop: () => void;
  beforeEach(async () => {
    vi.useFakeTimers();
    [answers, version] = [[], 1];
    list = follow();
    stop = list.subscribe(() => {});
    await arrive();
  });
  afterEach(() => {
    stop();
    queryClient.clear();
    vi.useRealTimers();
  });

  it.each([
    ['before a change', [() => list.fetchNextPage(), () => refresh('favorites')]],
    ['while a change is fetched', [() => refresh('favorites'), () => list.fetchNextPage()]],
  ])('has that page and the change, where it is asked for %s', async (_, steps) => {
    expect(shown()).toEqual(['page 1 of version 1']);
    for (const step of steps) {
      void step();
      await vi.advanceTimersByTimeAsync(10);
      version = 2;
    }
    for (let i = 0; i < 6; i += 1) await arrive();
    expect(shown()).toEqual(['page 1 of version 2', 'page 2 of version 2']);
  });
});
