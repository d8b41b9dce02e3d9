import { type AgentFile, importAnswer } from '@atelier/contract/agent-file';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';

/** Where an agent is to be had as a file. */
export const exportAddress = (agentId: string) => `/api/agents/${encodeURIComponent(agentId)}/export`;

/** Stores the agent of a file; answers with it and with what could not be kept. */
export function useImportAgent() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (file: AgentFile) => request(importAnswer, 'POST', '/api/agents/import', file),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: keys.agents });
      void queryClient.invalidateQueries({ queryKey: keys.me });
    },
  });
}
