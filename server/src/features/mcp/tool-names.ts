import { createHash } from 'node:crypto';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';

/** What every model provider accepts as a name, beside the server's key. */
const NAME_MAX = 48;
const USABLE_NAME = /^[a-zA-Z0-9_-]{1,48}$/;
const HASH_LENGTH = 6;

/** The id that stands for all tools of a server, in an agent’s list. */
export const allToolsId = (key: string): string => `${key}__*`;

/** The id of a server's tool in the catalogue; models call it by this name, whatever its server calls it. */
export const toolId = (key: string, tool: Pick<McpTool, 'name'>): string => `${key}__${callable(tool.name)}`;

/** The key in a tool's id. */
export const keyOfTool = (id: string): string => id.split('__', 1)[0] ?? '';

/** Names that models can't call are rewritten, with a piece of their hash to keep them apart. */
function callable(name: string): string {
  if (USABLE_NAME.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  const plain = name
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9_]+/gu, '-')
    .slice(0, NAME_MAX - HASH_LENGTH - 1);
  const begin = plain.replaceAll(/^-|-$/gu, '');
  return begin === '' ? `tool-${hash}` : `${begin}-${hash}`;
}
