import type { Call } from '@atelier/contract/calls';
import { QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { type AnswerOf, ApiError, call, type SentWith } from './http.ts';
import { connection } from './live/connection.ts';

/** Every cached key in one place; `stale.ts` says which a change makes stale. */
export const keys = {
  signIn: ['sign-in'],
  /** Why the last sign-in ended, if not on purpose. */
  signInEnd: ['sign-in', 'end'],
  me: ['me'],
  /** With whose accounts people can sign in; the operator decides. */
  signInProviders: ['sign-in', 'providers'],
  /** Who may open an account; with an invitation, also what it is worth. */
  door: ['door'],
  /** The operator's line at the top of every page. */
  announcement: ['announcement'],
  /** The person's own invitations. */
  invitations: ['invitations'],
  passkeys: ['passkeys'],
  /** What opens the account, and what of it is suspended. */
  ways: ['ways'],
  /** What concerned the safety of the account. */
  activity: ['activity'],
  /** What the operator's page shows; a change makes all of it stale. */
  admin: ['admin'],
  overview: ['admin', 'overview'],
  providers: ['admin', 'providers'],
  toolServers: ['admin', 'tool-servers'],
  serverSettings: ['admin', 'settings'],
  allInvitations: ['admin', 'invitations'],
  person: (accountId: string) => ['admin', 'person', accountId],
  /** The latest import of a whole account. */
  accountImport: ['account-import'],
  agents: ['agents'],
  /** Lists, single sessions and folders: a change makes all of them stale. */
  sessions: ['sessions'],
  allSessionLists: ['sessions', 'list'],
  sessionList: (view: object) => ['sessions', 'list', view],
  session: (sessionId: string) => ['sessions', 'one', sessionId],
  folders: ['sessions', 'folders'],
  billing: ['billing'],
  allTasks: ['tasks'],
  tasks: (sessionId: string) => ['tasks', sessionId],
  allExplore: ['explore'],
  explore: (filters: object) => ['explore', 'list', filters],
  publicTags: ['explore', 'tags'],
  publicAgent: (creatorId: string, agentId: string) => ['explore', 'agent', creatorId, agentId],
  favorites: ['favorites'],
  tools: ['tools'],
  mcpServers: ['mcp-servers'],
  apiKeys: ['api-keys'],
  /** Shared links: all of them, those of a session, and what one shows. */
  shares: ['shares'],
  sharesOf: (sessionId: string) => ['shares', 'session', sessionId],
  shared: (token: string) => ['shares', 'shown', token],
  allUsage: ['usage'],
  budgets: ['usage', 'budgets'],
  usage: (days: object) => ['usage', days],
  /** Messages that wait for an answer to end. */
  allQueues: ['queue'],
  queue: (sessionId: string) => ['queue', sessionId],
  prompts: ['prompts'],
  allFiles: ['files'],
  files: (agentId: string) => ['files', agentId],
  allFacts: ['facts'],
  facts: (filters: object) => ['facts', 'list', filters],
  allMemories: ['memories'],
  memories: (filters: object) => ['memories', filters],
  allSearches: ['search'],
  search: (q: string) => ['search', q],
  /** Without an agent, for all of them. */
  upstream: (agentId?: string) => ['agents', 'upstream', ...(agentId === undefined ? [] : [agentId])],
} as const;

/** The query of a call that reads. */
export const callQuery = <One extends Call>(queryKey: QueryKey, one: One, ...[sent]: SentWith<One>) => ({
  queryKey,
  queryFn: ({ signal }: { signal: AbortSignal }) => call(one, ...([{ ...sent, signal }] as unknown as SentWith<One>)),
});

/** The query of a call that reads a list, page by page. */
export const pagedQuery = <One extends Call>(queryKey: QueryKey, one: One, ...[sent]: SentWith<One>) => ({
  queryKey,
  queryFn: ({ pageParam, signal }: { pageParam: string; signal: AbortSignal }) => {
    const query = { ...(sent as { query?: object } | undefined)?.query, cursor: pageParam || undefined };
    return call(one, ...([{ ...sent, query, signal }] as unknown as SentWith<One>));
  },
  initialPageParam: '',
  getNextPageParam: (page: AnswerOf<One>) => (page as { nextCursor: string | null }).nextCursor,
});

/** Retries only what may succeed later: no answer, or a server error. */
export function mayRetry(failures: number, error: unknown): boolean {
  if (failures >= 3) return false;
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** Milliseconds until the next attempt: what the server said, or a second doubling to thirty. */
export function retryDelay(failures: number, error: unknown): number {
  const seconds = error instanceof ApiError ? error.retryAfter : undefined;
  return Math.min(seconds === undefined ? 1_000 * 2 ** failures : seconds * 1_000, 30_000);
}

/**
 * Milliseconds until a search whose part by meaning was late looks again; false where it was not. It goes on as long as somebody looks at it: the
 * server spares a provider that failed for longer than the first few looks take.
 */
export const lookAgain = (isLate: boolean, looks: number): number | false =>
  isLate && Math.min(1_500 * 2 ** (looks - 1), 30_000);

/** A refused sign-in concerns the whole page, whichever request noticed it first: resolves once it is known who is signed in. */
export async function noticeRefusal(error: unknown): Promise<void> {
  if (!(error instanceof ApiError && error.status === 401)) return;
  await queryClient.invalidateQueries({ queryKey: keys.signIn });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.queryKey[0] !== 'sign-in') void noticeRefusal(error);
    },
  }),
  defaultOptions: {
    // The live stream reports changes, so data stays fresh until then. `always`: a browser without internet can still reach a server on its
    // own machine.
    queries: { staleTime: 60_000, retry: mayRetry, retryDelay, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: {
      networkMode: 'always',
      onError: (error) => void noticeRefusal(error),
    },
  },
});

// Once the server is back, refetch what failed and what changed meanwhile.
connection.subscribe(() => {
  if (connection.read() === 'up') void queryClient.invalidateQueries();
});
