import {
  type McpAccess,
  type McpServer,
  type McpServerCreate,
  type McpSignIn,
  mcpServerAnswer,
  mcpServersAnswer,
  mcpSignInAnswer,
} from '@atelier/contract/mcp';
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

/** Replaces what a server knows the person by, once it has accepted it. */
export function useChangeAccess(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (access: McpAccess) => (await request(mcpServerAnswer, 'PATCH', address(id), access)).server,
    onSuccess: refresh,
  });
}

/** Begins a sign-in at a server; answers with the address where the person signs in. */
export const useSignIn = (id: string) =>
  useMutation({
    mutationFn: async (asked: McpSignIn) =>
      (await request(mcpSignInAnswer, 'POST', `${address(id)}/sign-in`, asked)).address,
  });

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
