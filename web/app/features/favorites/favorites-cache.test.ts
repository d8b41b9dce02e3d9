import type { PublicAgent } from '@atelier/contract/explore';
import { expect, test } from 'vitest';
import { mapPublicAgent, withFavorite } from './favorites.api.ts';

const agent = { id: 'a', creatorId: 'u1', creatorName: 'Ada', favorited: false, favoriteCount: 3 } as PublicAgent;
const other = { ...agent, id: 'b' };

test('favoriting adds one, taking it back subtracts it, repeating changes nothing, and no count is negative', () => {
  const liked = withFavorite(agent, true);
  expect(liked).toMatchObject({ favorited: true, favoriteCount: 4 });
  expect(withFavorite(liked, true)).toBe(liked);
  expect(withFavorite(liked, false)).toEqual(agent);
  expect(withFavorite({ ...liked, favoriteCount: 0 }, false).favoriteCount).toBe(0);
});

test('an agent is changed in every page that holds it, and nothing else is', () => {
  const data = { pages: [{ agents: [agent, other], nextCursor: null }], pageParams: [''] };
  const mapped = mapPublicAgent(data, agent, (a) => withFavorite(a, true));
  expect(mapped.pages[0]?.agents.map((a) => a.favoriteCount)).toEqual([4, 3]);
  expect(mapped.pageParams).toEqual(['']);
  expect(mapPublicAgent(agent, { creatorId: 'u2', id: 'a' }, (a) => withFavorite(a, true))).toBe(agent);
});
