import {
  type PromptGet,
  type ReadableServer,
  readableServersAnswer,
  type ServerContent,
  serverContentAnswer,
  serverPromptsAnswer,
  serverResourcesAnswer,
} from '@atelier/contract/composer/server-contents';
import { useMutation, useQuery } from '@tanstack/react-query';
import { request } from '../../../lib/http.ts';
import { keys } from '../../../lib/query.ts';

const address = (id: string, what: string) => `/api/mcp-servers/${encodeURIComponent(id)}/${what}`;

/** The servers that may be read; asked for only while `wanted`. */
export const useReadableServers = (wanted: boolean) =>
  useQuery({
    queryKey: [...keys.mcpServers, 'readable'],
    enabled: wanted,
    queryFn: async ({ signal }) =>
      (await request(readableServersAnswer, 'GET', '/api/mcp-servers/readable', undefined, { signal })).servers,
  });

// A server that can't be reached says so at once; trying again is a button.
const asked = { retry: false, staleTime: 60_000 } as const;

/** What a server has to read. */
export const useResources = (server: ReadableServer) =>
  useQuery({
    ...asked,
    queryKey: [...keys.mcpServers, 'resources', server.id],
    queryFn: ({ signal }) =>
      request(serverResourcesAnswer, 'GET', address(server.id, 'resources'), undefined, { signal }),
  });

/** The prompts of a server. */
export const usePrompts = (server: ReadableServer) =>
  useQuery({
    ...asked,
    queryKey: [...keys.mcpServers, 'prompts', server.id],
    queryFn: ({ signal }) => request(serverPromptsAnswer, 'GET', address(server.id, 'prompts'), undefined, { signal }),
  });

/** Which text of a server to read. */
export type Wanted = { uri: string } | { prompt: PromptGet };

/** Reads a resource or a prompt of a server. */
export const useReadContent = (server: ReadableServer) =>
  useMutation({
    mutationFn: async (wanted: Wanted): Promise<ServerContent> => {
      const [what, body] = 'uri' in wanted ? ['resources/read', wanted] : ['prompts/get', wanted.prompt];
      return (await request(serverContentAnswer, 'POST', address(server.id, String(what)), body)).content;
    },
  });
