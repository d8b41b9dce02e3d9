import type {
  PromptGet,
  ReadableServer,
  ResourceRead,
  ServerContent,
  ServerPrompt,
  ServerResource,
  ServerTemplate,
} from '@atelier/contract/mcp/server-contents';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { McpContents } from '../../platform/mcp/mcp-connection.ts';
import { failedOf } from './server-failure.service.ts';
import { sourcesOf } from './server-tools.service.ts';
import type { ToolSource } from './tool-source.ts';

/** Whose server is read, and until when. */
interface ContentRequest {
  caller: Caller;
  /** A person's server by its id, an operator's by its key. */
  serverId: string;
  signal: AbortSignal;
}

/** The servers that the caller may read from, their own first. */
export async function listReadable(ctx: Deps, caller: Caller): Promise<ReadableServer[]> {
  const [operator, own] = await sourcesOf(ctx, caller.uid);
  const open = [...own, ...operator].filter(({ closedSentence }) => closedSentence === undefined);
  return open.map(({ id, key, name }) => ({ id, key, name }));
}

/** Throws 404 for somebody else's server, and `provider_failed` with a sentence when it can't be reached. */
export async function listResources(
  ctx: Deps,
  request: ContentRequest,
): Promise<{ resources: ServerResource[]; templates: ServerTemplate[]; more: boolean }> {
  const listed = await talk(ctx, request, (contents) => contents.resources(request.signal));
  return {
    ...listed,
    templates: listed.templates.map((one) => ({ ...one, variables: variablesOf(one.template) })),
  };
}

/** Fails as `listResources` does. */
export const listPrompts = (ctx: Deps, request: ContentRequest): Promise<{ prompts: ServerPrompt[]; more: boolean }> =>
  talk(ctx, request, (contents) => contents.prompts(request.signal));

/** The text of a resource; 400 with the server's words when it has no such one. */
export const readResource = (ctx: Deps, request: ContentRequest, { uri }: ResourceRead): Promise<ServerContent> =>
  talk(ctx, request, (contents) => contents.readResource(uri, request.signal), 'uri');

/** The text of a prompt with its values; 400 with the server's words when it refuses them. */
export const getPrompt = (ctx: Deps, request: ContentRequest, prompt: PromptGet): Promise<ServerContent> =>
  talk(
    ctx,
    request,
    (contents) => contents.getPrompt(prompt.name, prompt.arguments ?? {}, request.signal),
    'arguments',
  );

/** The blanks of a simple template; null when it has operators that a person can't fill in. */
function variablesOf(template: string): string[] | null {
  const blanks = [...template.matchAll(/\{([^{}]*)\}/gu)].map(([, inner = '']) => inner);
  return blanks.every((blank) => /^\+?[\w.-]+$/u.test(blank))
    ? [...new Set(blanks.map((blank) => blank.replace('+', '')))]
    : null;
}

async function talk<T>(
  ctx: Deps,
  request: ContentRequest,
  read: (contents: McpContents) => Promise<T>,
  field?: string,
): Promise<T> {
  const source = await findSource(ctx, request);
  // One browser's listing and reading share a connection, apart from those of conversations.
  const asker = { conversation: `contents of ${request.caller.uid}`, signal: request.signal };
  try {
    return await source.use(asker, ({ contents }) => read(contents));
  } catch (error) {
    throw explained(request, error, field);
  }
}

/** The server, if nothing of it waits for the caller. */
async function findSource(ctx: Deps, { caller, serverId }: ContentRequest): Promise<ToolSource> {
  const source = (await sourcesOf(ctx, caller.uid)).flat().find(({ id }) => id === serverId);
  if (source === undefined) throw notFound('This server');
  if (source.closedSentence !== undefined) throw new AppError('conflict', source.closedSentence);
  return source;
}

function explained({ signal }: ContentRequest, error: unknown, field: string | undefined): unknown {
  signal.throwIfAborted();
  const { message, kind } = failedOf(error);
  if (kind !== 'said_no') return new AppError('provider_failed', message);
  // What the server itself says comes back quoted: these are not our words.
  const quotation = message === '' ? '' : ` It says: “${message}”`;
  return new AppError('invalid_input', `The server refused this.${quotation}`, field === undefined ? {} : { field });
}
