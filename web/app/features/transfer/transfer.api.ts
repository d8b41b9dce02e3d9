import { type AgentFile, agentFileCalls } from '@atelier/contract/agents/agent-file';
import { useMutation } from '@tanstack/react-query';
import { addressOf, call } from '../../lib/http.ts';
import { refreshEach } from '../../lib/live/stale.ts';

/** Where an agent is to be had as a file. */
export const exportAddress = (agentId: string) => addressOf(agentFileCalls.export, { params: { agentId } });

/** Stores the agent of a file; answers with it and with what could not be kept. */
export function useImportAgent() {
  return useMutation({
    mutationFn: (file: AgentFile) => call(agentFileCalls.import, { body: file }),
    onSuccess: () => refreshEach('agents', 'account'),
  });
}
