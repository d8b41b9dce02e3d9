import { type McpAccess, type McpServer, type McpServerCreate, type McpSignIn, mcpCalls } from '@atelier/contract/mcp';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { callQuery, keys, queryClient } from '../../lib/query.ts';

/** The person's own tool servers. */
export const useMcpServers = () =>
  useQuery({ ...callQuery(keys.mcpServers, mcpCalls.list), select: (answer) => answer.servers });

const refreshServers = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.mcpServers }),
    queryClient.invalidateQueries({ queryKey: keys.tools }),
  ]);

/** Adds a server by its address; the answer lists the tools found there. */
export const useAddMcpServer = () =>
  useMutation({
    mutationFn: async (body: McpServerCreate) => (await call(mcpCalls.add, { body })).server,
    onSuccess: refreshServers,
  });

/** Replaces what a server knows the person by, once it has accepted it. */
export const useChangeAccess = (serverId: string) =>
  useMutation({
    mutationFn: async (body: McpAccess) => (await call(mcpCalls.changeAccess, { params: { serverId }, body })).server,
    onSuccess: refreshServers,
  });

/** Begins a sign-in at a server; answers with the address where the person signs in. */
export const useSignIn = (id: string) =>
  useMutation({
    mutationFn: async (body: McpSignIn) => (await call(mcpCalls.signIn, { params: { serverId: id }, body })).address,
  });

/** Removes a server, or approves its tools exactly as shown. */
export const useMcpServerAction = (action: 'remove' | 'approve') =>
  useMutation({
    mutationFn: async ({ id, seen }: Pick<McpServer, 'id' | 'seen'>) => {
      const params = { serverId: id };
      if (action === 'remove') await call(mcpCalls.remove, { params });
      else await call(mcpCalls.approve, { params, body: { seen: seen ?? '' } });
    },
    onSettled: refreshServers,
  });
