import {
  type PromptGet,
  type ReadableServer,
  type ServerContent,
  serverContentCalls,
} from '@atelier/contract/mcp/server-contents';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/http.ts';
import { keys } from '../../../lib/query.ts';

/** The servers that may be read. */
export const useReadableServers = () =>
  useQuery({
    queryKey: [...keys.mcpServers, 'readable'],
    queryFn: async ({ signal }) => (await call(serverContentCalls.servers, { signal })).servers,
  });

// A server that can't be reached says so at once; trying again is a button.
const askedOnce = { retry: false, staleTime: 60_000 } as const;

/** What a server has to read. */
export const useResources = (server: ReadableServer) =>
  useQuery({
    ...askedOnce,
    queryKey: [...keys.mcpServers, 'resources', server.id],
    queryFn: ({ signal }) => call(serverContentCalls.resources, { params: { serverId: server.id }, signal }),
  });

/** The prompts of a server. */
export const usePrompts = (server: ReadableServer) =>
  useQuery({
    ...askedOnce,
    queryKey: [...keys.mcpServers, 'prompts', server.id],
    queryFn: ({ signal }) => call(serverContentCalls.prompts, { params: { serverId: server.id }, signal }),
  });

/** Which text of a server to read. */
export type Wanted = { uri: string } | { prompt: PromptGet };

/** Reads a resource or a prompt of a server. */
export const useReadContent = (server: ReadableServer) =>
  useMutation({
    mutationFn: async (wanted: Wanted): Promise<ServerContent> => {
      const params = { serverId: server.id };
      const answer = await ('uri' in wanted
        ? call(serverContentCalls.readResource, { params, body: wanted })
        : call(serverContentCalls.getPrompt, { params, body: wanted.prompt }));
      return answer.content;
    },
  });
