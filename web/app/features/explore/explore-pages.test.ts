import { NEW_AGENT } from '@atelier/contract/agents';
import type { PublicAgent } from '@atelier/contract/explore';
import { describe, expect, it } from 'vitest';
import { allPublicAgents, type ExplorePages, placeAgent } from './explore-pages.ts';

const agent = (id: string, favoriteCount: number, createdAt = '2026-01-01T00:00:00.000Z'): PublicAgent => ({
  ...NEW_AGENT,
  id,
  name: id,
  prompt: 'p',
  isPublic: true,
  favoriteCount,
  creatorId: 'u1',
  creatorName: 'Ada',
  imitates: null,
  favorited: false,
  createdAt,
  updatedAt: '2026-01-01T00:00:00.000Z',
});
const data = (more: string | null): ExplorePages => ({
  pageParams: ['', 'c'],
  pages: [
    { agents: [agent('a', 9), agent('b', 5)], nextCursor: 'c' },
    { agents: [agent('c', 3), agent('d', 1)], nextCursor: more },
  ],
});
const ids = (pages: ExplorePages) => allPublicAgents(pages.pages).map((a) => a.id);
const put = (changed: PublicAgent, before = data(null), isNewest = false) =>
  placeAgent(before, { creatorId: 'u1', agentId: changed.id, agent: changed, isNewest });
const without = (creatorId: string) =>
  ids(placeAgent(data(null), { creatorId, agentId: 'b', agent: null, isNewest: false }));

describe('one changed agent', () => {
  it('moves to its place by favorites', () => {
    expect(ids(put(agent('d', 6)))).toEqual(['a', 'd', 'b', 'c']);
    expect(ids(put(agent('a', 2)))).toEqual(['b', 'c', 'a', 'd']);
  });
  it('is updated where it stands while its count is the same', () => {
    const pages = put({ ...agent('b', 5), name: 'New' });
    expect(ids(pages)).toEqual(['a', 'b', 'c', 'd']);
    expect(allPublicAgents(pages.pages)[1]?.name).toBe('New');
  });
  it('appears when published, and is left to its own page where that is not loaded', () => {
    expect(ids(put(agent('e', 4)))).toEqual(['a', 'b', 'e', 'c', 'd']);
    expect(ids(put(agent('e', 0)))).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(ids(put(agent('e', 0), data('more')))).toEqual(['a', 'b', 'c', 'd']);
  });
  it('stays in its place, or comes into it, by age where the newest are first', () => {
    expect(ids(put(agent('d', 6), data(null), true))).toEqual(['a', 'b', 'c', 'd']);
    expect(ids(put(agent('e', 0, '2026-01-02T00:00:00.000Z'), data(null), true))).toEqual(['e', 'a', 'b', 'c', 'd']);
  });
  it('goes when the list has it no more', () => {
    expect(without('u1')).toEqual(['a', 'c', 'd']);
    expect(without('u2')).toHaveLength(4);
  });
});

it('an agent that two pages brought is shown once', () => {
  const twice = data(null);
  twice.pages[1]?.agents.push(agent('a', 9));
  expect(ids(twice)).toEqual(['a', 'b', 'c', 'd']);
});
