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
import { refreshEach } from '../../lib/live/stale.ts';
import { keys, lookAgain } from '../../lib/query.ts';

/** The filters of the list; an empty text is no filter. */
export interface MemoryFilters {
  agentId: string;
  sessionId: string;
  kind: string;
  pinned: string;
  q: string;
}

const PAGE = 100;

const set = (filters: MemoryFilters) => Object.entries(filters).filter(([, value]) => value !== '');

/** The address of the filtered memories as a file. */
export const exportAddress = (filters: MemoryFilters) => `/api/memories/export?${new URLSearchParams(set(filters))}`;

/** The person's memories that match the filters, latest first. */
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
    refetchInterval: ({ state }) => lookAgain(state.data?.pages.at(-1)?.meaning === 'late', state.dataUpdateCount),
  });

const PROGRESS_MS = 3_000;

/** How many memories can be found by meaning; polled until all can. */
export const useEmbeddingProgress = () =>
  useQuery({
    queryKey: [...keys.allMemories, 'status'],
    queryFn: ({ signal }) => request(memoryStatus, 'GET', '/api/memories/status', undefined, { signal }),
    refetchInterval: ({ state }) => {
      const embedding = state.data?.embedding;
      return embedding && embedding.done < embedding.total ? PROGRESS_MS : false;
    },
  });

/** Pins or unpins a memory, or replaces its words; returns the new memory. */
export function useUpdateMemory() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, ...change }: Pick<Memory, 'id'> & MemoryUpdate) =>
      (await request(memoryAnswer, 'PATCH', `/api/memories/${id}`, change)).memory,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.allMemories }),
  });
}

/** Reads a memory with its whole text. */
export const useReadMemory = () =>
  useMutation({
    mutationFn: async (id: string) => (await request(memoryAnswer, 'GET', `/api/memories/${id}`)).memory,
  });

/** Forgets memories for good; returns how many. Receipts on the screen lose their words too. */
export function useForgetMemories() {
  return useMutation({
    mutationFn: async (ids: string[]) => (await request(forgottenAnswer, 'DELETE', '/api/memories', { ids })).forgotten,
    onSettled: () => refreshEach('memories', 'tasks'),
  });
}
