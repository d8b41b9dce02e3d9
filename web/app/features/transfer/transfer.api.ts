import { type AgentFile, importAnswer } from '@atelier/contract/agents/agent-file';
import { useMutation } from '@tanstack/react-query';
import { request } from '../../lib/http.ts';
import { refreshEach } from '../../lib/live/stale.ts';

/** Where an agent is to be had as a file. */
export const exportAddress = (agentId: string) => `/api/agents/${encodeURIComponent(agentId)}/export`;

/** Stores the agent of a file; answers with it and with what could not be kept. */
export function useImportAgent() {
  return useMutation({
    mutationFn: (file: AgentFile) => request(importAnswer, 'POST', '/api/agents/import', file),
    onSuccess: () => refreshEach('agents', 'account'),
  });
}
