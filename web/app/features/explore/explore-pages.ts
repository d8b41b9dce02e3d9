import type { ExplorePage, PublicAgent } from '@atelier/contract/explore';
import type { InfiniteData } from '@tanstack/react-query';

export type ExplorePages = InfiniteData<ExplorePage, string>;

const sameAgent = (a: PublicAgent, creatorId: string, agentId: string) => a.creatorId === creatorId && a.id === agentId;

/** Every loaded agent once, in the list's order; a count that changed between two pages may have brought one twice. */
export function allPublicAgents(pages: readonly ExplorePage[]): PublicAgent[] {
  const byAddress = new Map<string, PublicAgent>();
  for (const agent of pages.flatMap((page) => page.agents)) {
    const address = `${agent.creatorId}/${agent.id}`;
    if (!byAddress.has(address)) byAddress.set(address, agent);
  }
  return [...byAddress.values()];
}

/**
 * The loaded pages after one agent changed: it is taken out, and put back in its place, by age or by favorites, where the list still has
 * it. One that belongs behind everything loaded is left to its own page.
 */
export function placeAgent(
  data: ExplorePages,
  changed: { creatorId: string; agentId: string; agent: PublicAgent | null; isNewest: boolean },
): ExplorePages {
  const { creatorId, agentId, agent, isNewest } = changed;
  const rank = (a: PublicAgent) => (isNewest ? Date.parse(a.createdAt) : a.favoriteCount);
  const shown = data.pages.flatMap((page) => page.agents).find((a) => sameAgent(a, creatorId, agentId));
  const unmoved = agent !== null && shown !== undefined && rank(shown) === rank(agent);
  if (unmoved) return mapAgents(data, (a) => (sameAgent(a, creatorId, agentId) ? agent : a));
  const pages = data.pages.map((page) => ({
    ...page,
    agents: page.agents.filter((a) => !sameAgent(a, creatorId, agentId)),
  }));
  if (agent === null) return { ...data, pages };
  for (const page of pages) {
    const at = page.agents.findIndex((a) => rank(a) <= rank(agent));
    if (at >= 0) {
      page.agents.splice(at, 0, agent);
      return { ...data, pages };
    }
  }
  const last = pages.at(-1);
  if (last && last.nextCursor === null) last.agents.push(agent);
  return { ...data, pages };
}

function mapAgents(data: ExplorePages, change: (agent: PublicAgent) => PublicAgent): ExplorePages {
  return { ...data, pages: data.pages.map((page) => ({ ...page, agents: page.agents.map(change) })) };
}
