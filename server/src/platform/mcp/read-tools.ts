import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import { storableJson, storableText } from '../storable-json.ts';
import { askServer } from './ask-server.ts';
import { McpRefused, type McpTool, McpUnreachable } from './mcp-connection.ts';

const LIST_MS = 10_000;
const TOOLS_MAX = 5_000;
const LIST_CHARS_MAX = 6 * 1024 * 1024;
const PAGES_MAX = 200;
const NAME_MAX = 200;
const DESCRIPTION_MAX = 2_000;
const SCHEMA_MAX = 60_000;
const ANNOTATIONS_MAX = 2_000;
const SCHEMA_LEVELS = 50;

// Each tool by itself: one that is described wrongly takes none of the others along.
const listPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });
const record = z.record(z.string(), z.unknown());
const named = z.looseObject({
  name: z.string().min(1),
  description: z.string().catch(''),
  inputSchema: record.catch({}),
  annotations: z
    .object({
      title: z.string().optional(),
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
      openWorldHint: z.boolean().optional(),
    })
    .catch({}),
  execution: z.looseObject({ taskSupport: z.unknown() }).catch({ taskSupport: undefined }),
});

/**
 * All tools that a server offers; throws when they are too many to keep. Our own request: the client's would compile the schemas of the
 * server's answers, with patterns that can freeze us.
 */
export async function readTools(client: Client, signal?: AbortSignal): Promise<McpTool[]> {
  const byName = new Map<string, McpTool>();
  let cursor: string | undefined;
  let chars = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const request = { method: 'tools/list', params };
    const asked = askServer(client, request, listPage, LIST_MS, { signal });
    const { tools, nextCursor } = await asked.catch((error: unknown) => {
      if (!(error instanceof McpRefused)) throw error;
      throw new McpUnreachable('not_mcp', `The server doesn’t list its tools: ${error.message}`);
    });
    for (const described of tools) {
      const tool = readTool(described);
      if (tool === null || byName.has(tool.name)) continue;
      chars += tool.name.length + tool.description.length + JSON.stringify(tool.inputSchema).length;
      byName.set(tool.name, tool);
    }
    if (byName.size > TOOLS_MAX || chars > LIST_CHARS_MAX) {
      throw new McpUnreachable('not_mcp', `The server describes more than ${TOOLS_MAX} tools, or at too great length.`);
    }
    if (!nextCursor || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return [...byName.values()];
}

/** Null for something without a name, which nothing could call. */
function readTool(described: unknown): McpTool | null {
  const parsed = named.safeParse(described);
  if (!parsed.success) return null;
  const { name, description, inputSchema, annotations, execution } = parsed.data;
  const details = {
    name: storableText(name, NAME_MAX),
    description: storableText(description, DESCRIPTION_MAX),
    readOnly: annotations.readOnlyHint === true,
  };
  const size = JSON.stringify(inputSchema).length;
  const why =
    size > SCHEMA_MAX
      ? `The description of its input is too long: ${size} characters, of at most ${SCHEMA_MAX}.`
      : JSON.stringify(annotations).length > ANNOTATIONS_MAX
        ? 'What its server notes about it is too long.'
        : isShallow(inputSchema)
          ? undefined
          : 'The description of its input is nested too deeply.';
  if (why !== undefined) return { ...details, inputSchema: { type: 'object' }, annotations: {}, unusable: why };
  return {
    ...details,
    inputSchema: { ...storableObject(inputSchema), type: 'object' },
    annotations: storableObject(annotations),
    ...(execution.taskSupport === 'required'
      ? { unusable: 'It works only as a task, which is not supported here.' }
      : {}),
  };
}

/** Whether a value nests no deeper than a person could read, so recursion stays within the stack. */
export function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < SCHEMA_LEVELS && level.length > 0; depth += 1) {
    level = level.flatMap((inner) => (typeof inner === 'object' && inner !== null ? Object.values(inner) : []));
  }
  return level.length === 0;
}

/** Server data is stored, so it must be something the database accepts. */
function storableObject(schema: Record<string, unknown>): Record<string, unknown> {
  const stored = storableJson(schema);
  return typeof stored === 'object' && stored !== null ? { ...stored } : {};
}
