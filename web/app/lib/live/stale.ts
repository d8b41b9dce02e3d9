import type { Topic } from '@atelier/contract/live';
import { type QueryFilters, type QueryKey, useMutation } from '@tanstack/react-query';
import { forgetEarly } from '../early.ts';
import { keys, queryClient } from '../query.ts';

/** Which cached queries a change makes stale. An empty `id` means all of the topic. Nearly every change may affect search results. */
const STALE: Record<Topic, (id: string) => QueryKey[]> = {
  // Signed out, all other requests would be refused.
  auth: () => [keys.signIn],
  account: () => [keys.me, keys.passkeys, keys.ways, keys.billing, keys.accountImport],
  // Memories contain the names of their agent and session.
  agents: () => [keys.agents, keys.allMemories, keys.allFacts, keys.allSearches],
  sessions: () => [keys.sessions, keys.allMemories, keys.allFacts, keys.allSearches, keys.shares, keys.allUsage],
  // A finished exchange creates memories.
  tasks: (id) => [id === '' ? keys.allTasks : keys.tasks(id), keys.allMemories, keys.allSearches, keys.allUsage],
  memories: () => [keys.allMemories, keys.allFacts, keys.allSearches],
  facts: () => [keys.allFacts],
  favorites: () => [keys.favorites],
  explore: (id) => [...publicAgents(id), keys.favorites, keys.upstream(), keys.allSearches],
  files: () => [keys.allFiles, keys.allSearches],
  tools: () => [keys.tools, keys.mcpServers, keys.ways],
  keys: () => [keys.apiKeys, keys.ways],
  shares: () => [keys.shares, keys.ways],
  queue: (id) => [id === '' ? keys.allQueues : keys.queue(id)],
  prompts: () => [keys.prompts],
  activity: () => [keys.activity],
  admin: () => [keys.admin],
  settings: () => [keys.door, keys.invitations, keys.announcement, keys.budgets],
  models: () => [keys.me],
};

/** An open list patches the one agent by itself, see `useLiveExplore`: refetched as a whole, it would jump while somebody reads. */
function publicAgents(id: string): QueryKey[] {
  const [creatorId = '', agentId = ''] = id.split(/\/(.*)/su, 2);
  return [id === '' ? keys.allExplore : keys.publicAgent(creatorId, agentId)];
}

/** The cached queries that a change makes stale. */
export const staleKeys = (topic: Topic, id: string): QueryKey[] => STALE[topic](id);

/** The least time between two fetches of the same data because of changes, in milliseconds. */
const GAP_MS = 200;

/** What is being refetched, and whether it has changed again since. */
const rounds = new Map<string, { again: boolean }>();

/** Refetches what a change made stale: at once, and once more if others came meanwhile. The last fetch starts after the last change. */
export function refresh(topic: Topic, id = ''): void {
  for (const queryKey of staleKeys(topic, id)) void refetchInTurn(queryKey);
}

/** The same for several topics. */
export const refreshEach = (...topics: Topic[]): void => {
  for (const topic of topics) refresh(topic);
};

/** A change that makes these topics stale, however it ends. */
export const useChange = <Input, Answer>(change: (input: Input) => Promise<Answer>, ...topics: Topic[]) =>
  useMutation({ mutationFn: change, onSettled: () => refreshEach(...topics) });

const pause = () => new Promise((done) => setTimeout(done, GAP_MS));

/** Whether the latest fetch of any such list is of a further page, for which somebody pressed: it and a refetch take each other's place. */
const isOfPage = (filters: QueryFilters) =>
  queryClient
    .getQueryCache()
    .findAll({ ...filters, type: 'active' })
    .some(({ state }) => state.fetchMeta?.fetchMore !== undefined);

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
    // Until the server has made a change that is already shown, it would answer with what was before.
    while (queryClient.isMutating({ mutationKey: queryKey }) > 0 || isOfPage({ queryKey, fetchStatus: 'fetching' }))
      await pause();
    await refetch(queryKey);
    round.again ||= isOfPage({ queryKey });
    await pause();
  }
  rounds.delete(name);
}

/** Refetches everything on the page, for example because changes may have been missed. */
export function refreshAll(): void {
  forgetEarly();
  void refetch();
}

function refetch(queryKey: QueryKey = []) {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey }),
    // Queries that nothing shows are only marked stale, and an answer on its way would clear the mark: refetch those too.
    queryClient.refetchQueries({ queryKey, type: 'inactive', fetchStatus: 'fetching' }),
  ]);
}
