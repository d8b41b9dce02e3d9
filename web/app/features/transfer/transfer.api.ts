import { type AgentFile, agentFileCalls } from '@atelier/contract/agents/agent-file';
import { accountImportAnswer, importCalls } from '@atelier/contract/transfer/imports';
import { type PastChoice, pastCalls } from '@atelier/contract/transfer/past';
import { useMutation, useQuery } from '@tanstack/react-query';
import { addressOf, call } from '../../lib/http.ts';
import { refreshEach } from '../../lib/live/stale.ts';
import { callQuery, keys, queryClient } from '../../lib/query.ts';
import { sendFile } from '../../lib/uploads/send-file.ts';

/** Asks while an import runs, in case the stream is down. */
const WATCHDOG_MS = 3_000;

/** The account's latest import: its preview, its progress or its report. */
export const useLatestImport = () =>
  useQuery({
    queryKey: keys.accountImport,
    queryFn: async ({ signal }) => (await call(importCalls.latest, { signal })).import,
    refetchInterval: (query) => (query.state.data?.state === 'running' ? WATCHDOG_MS : false),
  });

/** Sends an archive; its preview is the latest import then. */
export async function sendArchive(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<void> {
  const answer = await sendFile(accountImportAnswer, addressOf(importCalls.upload, {}), file, onProgress, signal);
  queryClient.setQueryData(keys.accountImport, answer.import);
}

const refreshImport = () => queryClient.invalidateQueries({ queryKey: keys.accountImport });

/** Begins an import, goes on with it, or stops it. */
export const useSteerImport = () =>
  useMutation({
    mutationFn: ({ id: importId, to }: { id: string; to: 'start' | 'stop' }) =>
      call(importCalls[to], { params: { importId } }),
    onSuccess: refreshImport,
  });

/** Deletes an archive and its report; what was imported stays. */
export const useDiscardImport = () =>
  useMutation({
    mutationFn: (importId: string) => call(importCalls.discard, { params: { importId } }),
    onSuccess: async () => {
      // One that is under way would bring it back.
      await queryClient.cancelQueries({ queryKey: keys.accountImport });
      queryClient.setQueryData(keys.accountImport, null);
    },
    onError: refreshImport,
  });

/** What an export of another program holds; it doesn't change. */
export const usePast = (importId: string) =>
  useQuery({
    ...callQuery([...keys.accountImport, importId, 'past'], pastCalls.read, { params: { importId } }),
    select: (answer) => answer.past,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Imports what was chosen of it. */
export const useImportPast = (importId: string) =>
  useMutation({
    mutationFn: async (choice: PastChoice) => {
      await call(pastCalls.choose, { params: { importId }, body: choice });
      return call(importCalls.start, { params: { importId } });
    },
    onSettled: refreshImport,
  });

/** Deletes everything that it brought. */
export const useUndoImport = () =>
  useMutation({
    mutationFn: (importId: string) => call(pastCalls.undo, { params: { importId } }),
    onSettled: refreshImport,
  });

/** Where an agent is to be had as a file. */
export const exportAddress = (agentId: string) => addressOf(agentFileCalls.export, { params: { agentId } });

/** Stores the agent of a file; answers with it and with what could not be kept. */
export const useImportAgent = () =>
  useMutation({
    mutationFn: (file: AgentFile) => call(agentFileCalls.import, { body: file }),
    onSuccess: () => refreshEach('agents', 'account'),
  });
