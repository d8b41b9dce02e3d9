import { serverContentCalls } from '@atelier/contract/mcp/server-contents';
import type { Context } from 'hono';
import type { AppEnv } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { getPrompt, listPrompts, listReadable, listResources, readResource } from './server-contents.service.ts';

/** Resources and prompts of tool servers. */
export function serverContentsRoutes(deps: Deps) {
  const requestOf = (c: Context<AppEnv>, { serverId }: { serverId: string }) => ({
    caller: c.get('caller'),
    serverId,
    signal: c.req.raw.signal,
  });
  return serve(serverContentCalls, {
    servers: async ({ caller }) => ({ servers: await listReadable(deps, caller) }),
    resources: ({ c, params }) => listResources(deps, requestOf(c, params)),
    prompts: ({ c, params }) => listPrompts(deps, requestOf(c, params)),
    readResource: async ({ c, params, body }) => ({ content: await readResource(deps, requestOf(c, params), body) }),
    getPrompt: async ({ c, params, body }) => ({ content: await getPrompt(deps, requestOf(c, params), body) }),
  });
}
