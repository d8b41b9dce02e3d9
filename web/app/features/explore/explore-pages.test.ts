import { NEW_AGENT } from '@atelier/contract/agents';
import type { PublicAgent } from '@atelier/contract/explore';
import { describe, expect, it } from 'vitest';
import { allPublicAgents, type ExplorePages, placeAgent } from './explore-pages.ts';

const agent = (id: string, favoriteCount: number, tags: string[] = []): PublicAgent => ({
  ...NEW_AGENT,
  id,
  name: id,
  prompt: 'p',
  tags,
  isPublic: true,
  favoriteCount,
  creatorId: 'u1',
  creatorName: 'Ada',
  favorited: false,
  createdAt: '2026-01-01T00:00:00.000Z',
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
const put = (changed: PublicAgent, before = data(null), tag = '') =>
  placeAgent(before, { creatorId: 'u1', agentId: changed.id, agent: changed, tag });

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
  it('goes when it is no longer public or lost the tag', () => {
    expect(ids(placeAgent(data(null), { creatorId: 'u1', agentId: 'b', agent: null, tag: '' }))).toEqual([
      'a',
      'c',
      'd',
    ]);
    expect(ids(put(agent('b', 5, ['x']), data(null), 'y'))).toEqual(['a', 'c', 'd']);
    expect(ids(placeAgent(data(null), { creatorId: 'u2', agentId: 'b', agent: null, tag: '' }))).toHaveLength(4);
  });
});

it('an agent that two pages brought is shown once', () => {
  const twice = data(null);
  twice.pages[1]?.agents.push(agent('a', 9));
  expect(ids(twice)).toEqual(['a', 'b', 'c', 'd']);
});
