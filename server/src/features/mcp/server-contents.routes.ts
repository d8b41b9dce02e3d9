import { serverContentCalls } from '@atelier/contract/mcp/server-contents';
import type { Context } from 'hono';
import type { AppEnv } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { McpContents } from '../../platform/mcp/mcp-connection.ts';
import { serve } from '../../serve.ts';
import { failedOf } from './server-failure.service.ts';
import { sourcesOf } from './server-tools.service.ts';
import type { ToolSource } from './tool-source.ts';

/** A call about a person's server, by its id, or an operator's, by its key. */
interface ContentRequest {
  c: Context<AppEnv>;
  params: { serverId: string };
}

/**
 * Resources and prompts of tool servers. 404 for somebody else's server, `provider_failed` with a sentence where it can't be reached, and 400
 * with the server's words where it refuses what was asked for.
 */
export const serverContentsRoutes = (deps: Deps) =>
  serve(serverContentCalls, {
    // The caller's own first.
    servers: async ({ caller }) => {
      const [operator, own] = await sourcesOf(deps, caller.uid);
      const open = [...own, ...operator].filter(({ closedSentence }) => closedSentence === undefined);
      return { servers: open.map(({ id, key, name }) => ({ id, key, name })) };
    },
    resources: async (request) => {
      const listed = await talk(deps, request, (contents, signal) => contents.resources(signal));
      const templates = listed.templates.map((one) => ({ ...one, variables: variablesOf(one.template) }));
      return { ...listed, templates };
    },
    prompts: (request) => talk(deps, request, (contents, signal) => contents.prompts(signal)),
    readResource: async (request) => ({
      content: await talk(deps, request, (contents, signal) => contents.readResource(request.body.uri, signal), 'uri'),
    }),
    getPrompt: async (request) => {
      const { name, arguments: values = {} } = request.body;
      const read = (contents: McpContents, signal: AbortSignal) => contents.getPrompt(name, values, signal);
      return { content: await talk(deps, request, read, 'arguments') };
    },
  });

/** The blanks of a simple template; null when it has operators that a person can't fill in. */
function variablesOf(template: string): string[] | null {
  const blanks = [...template.matchAll(/\{([^{}]*)\}/gu)].map(([, inner = '']) => inner);
  return blanks.every((blank) => /^\+?[\w.-]+$/u.test(blank))
    ? [...new Set(blanks.map((blank) => blank.replace('+', '')))]
    : null;
}

async function talk<T>(
  ctx: Deps,
  { c, params }: ContentRequest,
  read: (contents: McpContents, signal: AbortSignal) => Promise<T>,
  field?: string,
): Promise<T> {
  const { uid } = c.get('caller');
  const { signal } = c.req.raw;
  const source = await findSource(ctx, uid, params.serverId);
  // One browser's listing and reading share a connection, apart from those of conversations.
  const asker = { conversation: `contents of ${uid}`, signal };
  try {
    return await source.use(asker, ({ contents }) => read(contents, signal));
  } catch (error) {
    throw explained(signal, error, field);
  }
}

/** The server, if nothing of it waits for the caller. */
async function findSource(ctx: Deps, uid: string, serverId: string): Promise<ToolSource> {
  const source = (await sourcesOf(ctx, uid)).flat().find(({ id }) => id === serverId);
  if (source === undefined) throw notFound('This server');
  if (source.closedSentence !== undefined) throw new AppError('conflict', source.closedSentence);
  return source;
}

function explained(signal: AbortSignal, error: unknown, field: string | undefined): unknown {
  signal.throwIfAborted();
  const { message, kind } = failedOf(error);
  if (kind !== 'said_no') return new AppError('provider_failed', message);
  // What the server itself says comes back quoted: these are not our words.
  const quotation = message === '' ? '' : ` It says: “${message}”`;
  return new AppError('invalid_input', `The server refused this.${quotation}`, field === undefined ? {} : { field });
}
