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
 * The loaded pages after one agent changed: it is taken out, and put back in its place by favorites when it is still public and
 * carries the tag. One that belongs behind everything loaded is left to its own page.
 */
export function placeAgent(
  data: ExplorePages,
  changed: { creatorId: string; agentId: string; agent: PublicAgent | null; tag: string },
): ExplorePages {
  const { creatorId, agentId, agent, tag } = changed;
  const known = data.pages.flatMap((page) => page.agents).find((a) => sameAgent(a, creatorId, agentId));
  const unmoved = agent !== null && known?.favoriteCount === agent.favoriteCount && carries(agent, tag);
  if (unmoved) return mapAgents(data, (a) => (sameAgent(a, creatorId, agentId) ? agent : a));
  const pages = data.pages.map((page) => ({
    ...page,
    agents: page.agents.filter((a) => !sameAgent(a, creatorId, agentId)),
  }));
  if (agent === null || !carries(agent, tag)) return { ...data, pages };
  for (const page of pages) {
    const at = page.agents.findIndex((a) => a.favoriteCount <= agent.favoriteCount);
    if (at >= 0) {
      page.agents.splice(at, 0, agent);
      return { ...data, pages };
    }
  }
  const last = pages.at(-1);
  if (last && last.nextCursor === null) last.agents.push(agent);
  return { ...data, pages };
}

const carries = (agent: PublicAgent, tag: string) => tag === '' || agent.tags.includes(tag);

function mapAgents(data: ExplorePages, change: (agent: PublicAgent) => PublicAgent): ExplorePages {
  return { ...data, pages: data.pages.map((page) => ({ ...page, agents: page.agents.map(change) })) };
}
