import type { PublicAgent } from '@atelier/contract/explore';

/** The agent right after its reader added or removed a favorite; unchanged if it already says so. */
export function withFavorite(agent: PublicAgent, favorited: boolean): PublicAgent {
  if (agent.favorited === favorited) return agent;
  return { ...agent, favorited, favoriteCount: Math.max(0, agent.favoriteCount + (favorited ? 1 : -1)) };
}

/** A cached answer with every occurrence of one public agent replaced. */
export function mapPublicAgent<T>(
  data: T,
  at: { creatorId: string; id: string },
  change: (a: PublicAgent) => PublicAgent,
): T {
  if (Array.isArray(data)) return data.map((entry) => mapPublicAgent(entry, at, change)) as T;
  if (typeof data !== 'object' || data === null) return data;
  if (isPublicAgent(data)) return data.creatorId === at.creatorId && data.id === at.id ? (change(data) as T) : data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, mapPublicAgent(value, at, change)])) as T;
}

const isPublicAgent = (value: object): value is PublicAgent & object => 'favorited' in value && 'creatorName' in value;
