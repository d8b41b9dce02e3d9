import { type McpAccess, type McpServer, type McpServerCreate, type McpSignIn, mcpCalls } from '@atelier/contract/mcp';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';

/** The person's own tool servers. */
export const useMcpServers = () =>
  useQuery({
    queryKey: keys.mcpServers,
    queryFn: async ({ signal }) => (await call(mcpCalls.list, { signal })).servers,
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
    mutationFn: async (server: McpServerCreate) => (await call(mcpCalls.add, { body: server })).server,
    onSuccess: refresh,
  });
}

/** Replaces what a server knows the person by, once it has accepted it. */
export function useChangeAccess(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (body: McpAccess) =>
      (await call(mcpCalls.changeAccess, { params: { serverId: id }, body })).server,
    onSuccess: refresh,
  });
}

/** Begins a sign-in at a server; answers with the address where the person signs in. */
export const useSignIn = (id: string) =>
  useMutation({
    mutationFn: async (body: McpSignIn) => (await call(mcpCalls.signIn, { params: { serverId: id }, body })).address,
  });

/** Removes a server, or approves its tools exactly as shown. */
export function useMcpServerAction(action: 'remove' | 'approve') {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ id, seen }: Pick<McpServer, 'id' | 'seen'>) => {
      const params = { serverId: id };
      if (action === 'remove') await call(mcpCalls.remove, { params });
      else await call(mcpCalls.approve, { params, body: { seen: seen ?? '' } });
    },
    onSettled: refresh,
  });
}
