import { type McpServer, type McpServerCreate, mcpServerAnswer, mcpServersAnswer } from '@atelier/contract/mcp';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';

const address = (id: string) => `/api/mcp-servers/${encodeURIComponent(id)}`;

/** The person's own tool servers. */
export const useMcpServers = () =>
  useQuery({
    queryKey: keys.mcpServers,
    queryFn: async ({ signal }) =>
      (await request(mcpServersAnswer, 'GET', '/api/mcp-servers', undefined, { signal })).servers,
  });

function useRefresh() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.mcpServers }),
      queryClient.invalidateQueries({ queryKey: keys.tools }),
    ]);
}

/** Adds a server by its address; the answer lists the tools found there. */
export function useAddMcpServer() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (server: McpServerCreate) =>
      (await request(mcpServerAnswer, 'POST', '/api/mcp-servers', server)).server,
    onSuccess: refresh,
  });
}

/** Removes a server, or approves its tools exactly as shown. */
export function useMcpServerAction(action: 'remove' | 'approve') {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ id, seen }: Pick<McpServer, 'id' | 'seen'>) => {
      if (action === 'remove') await request(z.unknown(), 'DELETE', address(id));
      else await request(mcpServerAnswer, 'POST', `${address(id)}/approve`, { seen });
    },
    onSettled: refresh,
  });
}
