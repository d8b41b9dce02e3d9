import {
  forgottenAnswer,
  type Memory,
  type MemoryUpdate,
  memoriesAnswer,
  memoryAnswer,
  memoryStatus,
} from '@atelier/contract/memory';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { keys } from '../../lib/query.ts';

/** What the list is narrowed down to; an empty text is no filter. */
export interface MemoryFilters {
  agentId: string;
  sessionId: string;
  kind: string;
  pinned: string;
  q: string;
}

const PAGE = 100;

const set = (filters: MemoryFilters) => Object.entries(filters).filter(([, value]) => value !== '');

/** Where what the filters leave is to be had as a file. */
export const exportAddress = (filters: MemoryFilters) => `/api/memories/export?${new URLSearchParams(set(filters))}`;

/** Meaning that was late is asked for again so often, and so long after. */
const LATE = { times: 3, ms: 1_500 };

/** The person's memories that fit the filters, latest first. */
export const useMemories = (filters: MemoryFilters) =>
  useInfiniteQuery({
    queryKey: keys.memories(filters),
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams([...set(filters), ['limit', String(PAGE)]]);
      if (pageParam !== '') query.set('cursor', pageParam);
      return request(memoriesAnswer, 'GET', `/api/memories?${query}`, undefined, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (before) => before,
    refetchInterval: ({ state }) =>
      state.data?.pages.at(-1)?.meaning === 'late' && state.dataUpdateCount <= LATE.times ? LATE.ms : false,
  });

const PROGRESS_MS = 3_000;

/** How far the memories have got on their way to being found by meaning; asked again while they are on it. */
export const useEmbeddingProgress = () =>
  useQuery({
    queryKey: [...keys.allMemories, 'status'],
    queryFn: ({ signal }) => request(memoryStatus, 'GET', '/api/memories/status', undefined, { signal }),
    refetchInterval: ({ state }) => {
      const embedding = state.data?.embedding;
      return embedding && embedding.done < embedding.total ? PROGRESS_MS : false;
    },
  });

/** Pins a memory, takes the pin away, or replaces its words; answers with the memory as it is then. */
export function useUpdateMemory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, ...change }: Pick<Memory, 'id'> & MemoryUpdate) =>
      (await request(memoryAnswer, 'PATCH', `/api/memories/${id}`, change)).memory,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.allMemories }),
  });
}

/** Forgets memories for good; answers how many there were. Receipts on the screen lose their words too. */
export function useForgetMemories() {
  return useMutation({
    mutationFn: async (ids: string[]) => (await request(forgottenAnswer, 'DELETE', '/api/memories', { ids })).forgotten,
    onSettled: () => {
      refresh('memories');
      refresh('tasks');
    },
  });
}
