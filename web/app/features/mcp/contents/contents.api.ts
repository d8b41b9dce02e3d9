import {
  type PromptGet,
  type ReadableServer,
  type ServerContent,
  serverContentCalls,
} from '@atelier/contract/mcp/server-contents';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/http.ts';
import { callQuery, keys } from '../../../lib/query.ts';

/** The servers that may be read. */
export const useReadableServers = () =>
  useQuery({
    ...callQuery([...keys.mcpServers, 'readable'], serverContentCalls.servers),
    select: (answer) => answer.servers,
  });

// A server that can't be reached says so at once; trying again is a button.
const FETCH_ONCE = { retry: false, staleTime: 60_000 } as const;

/** What a server has to read. */
export const useResources = ({ id: serverId }: ReadableServer) =>
  useQuery({
    ...callQuery([...keys.mcpServers, 'resources', serverId], serverContentCalls.resources, { params: { serverId } }),
    ...FETCH_ONCE,
  });

/** The prompts of a server. */
export const usePrompts = ({ id: serverId }: ReadableServer) =>
  useQuery({
    ...callQuery([...keys.mcpServers, 'prompts', serverId], serverContentCalls.prompts, { params: { serverId } }),
    ...FETCH_ONCE,
  });

/** Which text of a server to read. */
export type ContentRef = { uri: string } | { prompt: PromptGet };

/** Reads a resource or a prompt of a server. */
export const useReadContent = (server: ReadableServer) =>
  useMutation({
    mutationFn: async (wanted: ContentRef): Promise<ServerContent> => {
      const params = { serverId: server.id };
      const answer = await ('uri' in wanted
        ? call(serverContentCalls.readResource, { params, body: wanted })
        : call(serverContentCalls.getPrompt, { params, body: wanted.prompt }));
      return answer.content;
    },
  });
