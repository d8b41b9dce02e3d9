import { type MemoriesQuery, type Memory, type MemoryUpdate, memoryCalls } from '@atelier/contract/memory';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { addressOf, call } from '../../lib/http.ts';
import { useChange } from '../../lib/live/stale.ts';
import { callQuery, keys, lookAgain, pagedQuery, queryClient } from '../../lib/query.ts';

/** The filters of the list; an empty text is no filter. */
export const MEMORY_FILTERS = ['agentId', 'sessionId', 'kind', 'pinned', 'q'] as const;
export type MemoryFilters = Record<(typeof MEMORY_FILTERS)[number], string>;

const PAGE = 100;

const set = (filters: MemoryFilters): Partial<MemoriesQuery> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));

/** The address of the filtered memories as a file. */
export const exportAddress = (filters: MemoryFilters) => addressOf(memoryCalls.export, { query: set(filters) });

/** The person's memories that match the filters, latest first. */
export const useMemories = (filters: MemoryFilters) =>
  useInfiniteQuery({
    ...pagedQuery(keys.memories(filters), memoryCalls.list, { query: { ...set(filters), limit: PAGE } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => lookAgain(state.data?.pages.at(-1)?.meaning === 'late', state.dataUpdateCount),
  });

const PROGRESS_MS = 3_000;

/** How many memories can be found by meaning; polled until all can. */
export const useEmbeddingProgress = () =>
  useQuery({
    ...callQuery([...keys.allMemories, 'status'], memoryCalls.status),
    refetchInterval: ({ state }) => {
      const embedding = state.data?.embedding;
      return embedding && embedding.done < embedding.total ? PROGRESS_MS : false;
    },
  });

/** Pins or unpins a memory, or replaces its words; returns the new memory. */
export const useUpdateMemory = () =>
  useMutation({
    mutationFn: async ({ id: memoryId, ...body }: Pick<Memory, 'id'> & MemoryUpdate) =>
      (await call(memoryCalls.update, { params: { memoryId }, body })).memory,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.allMemories }),
  });

/** Reads a memory with its whole text. */
export const useReadMemory = () =>
  useMutation({
    mutationFn: async (memoryId: string) => (await call(memoryCalls.get, { params: { memoryId } })).memory,
  });

/** Forgets memories for good; returns how many. Receipts on the screen lose their words too. */
export function useForgetMemories() {
  return useChange(
    async (ids: string[]) => (await call(memoryCalls.forgetMany, { body: { ids } })).forgotten,
    'memories',
    'tasks',
  );
}
