import { type AgentFileEntry, fileCalls } from '@atelier/contract/files';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, fetchPages } from '../../lib/http.ts';
import { callQuery, keys, queryClient } from '../../lib/query.ts';

/** Polls while a file is being read, in case the stream is down. */
const WATCHDOG_MS = 10_000;

const fetchFiles = async (agentId: string, signal: AbortSignal): Promise<AgentFileEntry[]> => {
  const params = { agentId };
  const pages = await fetchPages((cursor) => call(fileCalls.list, { params, query: { limit: 200, cursor }, signal }));
  return pages.flatMap((page) => page.files);
};

/** An agent's files, newest first. */
export const useFiles = (agentId: string) =>
  useQuery({
    queryKey: keys.files(agentId),
    queryFn: ({ signal }) => fetchFiles(agentId, signal),
    refetchInterval: (query) => (query.state.data?.some((file) => file.state === 'reading') ? WATCHDOG_MS : false),
  });

/** The text of a file, in order; loaded only when it is shown. */
export const usePassages = (agentId: string, fileId: string) =>
  useQuery(callQuery([...keys.files(agentId), 'passages', fileId], fileCalls.read, { params: { agentId, fileId } }));

/** One after another: an undo must not overtake its deletion. */
const inOrder = (agentId: string) => ({ id: `files ${agentId}` });

/** Deletes a file; for some seconds `useRestoreFile` brings it back. */
export function useDeleteFile(agentId: string) {
  const queryKey = keys.files(agentId);
  return useMutation({
    scope: inOrder(agentId),
    mutationFn: (fileId: string) => call(fileCalls.remove, { params: { agentId, fileId } }),
    onMutate: async (fileId) => {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData<AgentFileEntry[]>(queryKey, (files) => files?.filter((file) => file.id !== fileId));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

/** Restores a just deleted file. */
export const useRestoreFile = (agentId: string) =>
  useMutation({
    scope: inOrder(agentId),
    mutationFn: (fileId: string) => call(fileCalls.restore, { params: { agentId, fileId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.files(agentId) }),
  });
