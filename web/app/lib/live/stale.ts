import type { Topic } from '@atelier/contract/live';
import type { QueryKey } from '@tanstack/react-query';
import { forgetEarly } from '../early.ts';
import { keys, queryClient } from '../query.ts';

/**
 * Which cached queries a change makes stale: the one place that knows. An empty `id` means all that the topic covers. What is found by a
 * search may change with nearly everything.
 */
const STALE: Record<Topic, (id: string) => QueryKey[]> = {
  // A person who is signed out would only be told so again by the others.
  auth: () => [keys.signIn],
  account: () => [keys.me, keys.billing],
  // Memories carry the names of their agent and session.
  agents: () => [keys.agents, keys.allMemories, keys.allSearches],
  sessions: () => [keys.sessions, keys.allMemories, keys.allSearches],
  // An exchange that ends leaves memories.
  tasks: (id) => [id === '' ? keys.allTasks : keys.tasks(id), keys.allMemories, keys.allSearches],
  memories: () => [keys.allMemories, keys.allSearches],
  favorites: () => [keys.favorites],
  explore: (id) => [...publicAgents(id), keys.favorites, keys.upstream(), keys.allSearches],
  files: () => [keys.allFiles, keys.allSearches],
  tools: () => [keys.tools, keys.mcpServers],
};

/** A list that is open patches the one agent by itself, see `useLiveExplore`: fetched as a whole it would jump while somebody reads. */
function publicAgents(id: string): QueryKey[] {
  const [creatorId = '', agentId = ''] = id.split(/\/(.*)/su, 2);
  return [id === '' ? keys.allExplore : keys.publicAgent(creatorId, agentId)];
}

/** The cached queries that a change makes stale. */
export const staleKeys = (topic: Topic, id: string): QueryKey[] => STALE[topic](id);

/** The least time between two fetches of the same thing because of changes, in milliseconds. */
const GAP_MS = 200;

/** What is being fetched again, and whether it changed once more since. */
const rounds = new Map<string, { again: boolean }>();

/**
 * Fetches again what a change made stale: at once, and once more where more changes came meanwhile. However many come, one fetch follows
 * the other, and the last one comes after the last change.
 */
export function refresh(topic: Topic, id = ''): void {
  for (const queryKey of staleKeys(topic, id)) void refetchInTurn(queryKey);
}

async function refetchInTurn(queryKey: QueryKey) {
  const name = JSON.stringify(queryKey);
  const running = rounds.get(name);
  if (running !== undefined) {
    running.again = true;
    return;
  }
  const round = { again: true };
  rounds.set(name, round);
  while (round.again) {
    round.again = false;
    await refetch(queryKey);
    await new Promise((done) => setTimeout(done, GAP_MS));
  }
  rounds.delete(name);
}

/** Fetches again whatever the page has, for example because changes may have been missed. */
export function refreshAll(): void {
  forgetEarly();
  void refetch();
}

function refetch(queryKey: QueryKey = []) {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey }),
    // What nothing shows yet is only marked, and the answer that is on its way would take the mark off again.
    queryClient.refetchQueries({ queryKey, type: 'inactive', fetchStatus: 'fetching' }),
  ]);
}
