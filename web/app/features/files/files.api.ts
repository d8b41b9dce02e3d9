import { type AgentFileEntry, fileAnswer, filesAnswer, passagesAnswer } from '@atelier/contract/files';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';

/** Polls while a file is being read, in case the stream is down. */
const WATCHDOG_MS = 10_000;

export const filesAddress = (agentId: string) => `/api/agents/${encodeURIComponent(agentId)}/files`;
const address = (agentId: string, fileId: string) => `${filesAddress(agentId)}/${encodeURIComponent(fileId)}`;

async function fetchFiles(agentId: string, signal: AbortSignal): Promise<AgentFileEntry[]> {
  const files: AgentFileEntry[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: '200', ...(cursor === null ? {} : { cursor }) });
    const path = `${filesAddress(agentId)}?${query}`;
    const page: z.infer<typeof filesAnswer> = await request(filesAnswer, 'GET', path, undefined, { signal });
    files.push(...page.files);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return files;
}

/** An agent's files, newest first. */
export const useFiles = (agentId: string) =>
  useQuery({
    queryKey: keys.files(agentId),
    queryFn: ({ signal }) => fetchFiles(agentId, signal),
    refetchInterval: (query) => (query.state.data?.some((file) => file.state === 'reading') ? WATCHDOG_MS : false),
  });

/** The text of a file, in order; loaded only when it is shown. */
export const usePassages = (agentId: string, fileId: string | undefined) =>
  useQuery({
    queryKey: [...keys.files(agentId), 'passages', fileId],
    queryFn: ({ signal }) =>
      request(passagesAnswer, 'GET', `${address(agentId, fileId ?? '')}/passages`, undefined, { signal }),
    enabled: fileId !== undefined,
  });

/** One after another: an undo must not overtake its deletion. */
const inOrder = (agentId: string) => ({ id: filesAddress(agentId) });

/** Deletes a file; for some seconds `useRestoreFile` brings it back. */
export function useDeleteFile(agentId: string) {
  const queryClient = useQueryClient();
  const queryKey = keys.files(agentId);
  return useMutation({
    scope: inOrder(agentId),
    mutationFn: (fileId: string) => request(z.unknown(), 'DELETE', address(agentId, fileId)),
    onMutate: async (fileId) => {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData<AgentFileEntry[]>(queryKey, (files) => files?.filter((file) => file.id !== fileId));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

/** Restores a just deleted file. */
export function useRestoreFile(agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    scope: inOrder(agentId),
    mutationFn: (fileId: string) => request(fileAnswer, 'POST', `${address(agentId, fileId)}/restore`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.files(agentId) }),
  });
}
