import { createHash } from 'node:crypto';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';

/** The id that stands for all tools of a server, in an agent’s list. */
export const allToolsId = (key: string): string => `${key}__*`;

/** The id of a server's tool in the catalogue; models call it by this name, whatever its server calls it: every provider accepts it. */
export const toolId = (key: string, { name }: Pick<McpTool, 'name'>): string =>
  `${key}__${/^[a-zA-Z0-9_-]{1,48}$/.test(name) ? name : rewritten(name, /[^a-zA-Z0-9_]+/gu, { max: 48, hash: 6, empty: 'tool' })}`;

/** How an operator's server begins its tools' ids: not as any person's own does. */
export const serverKey = (name: string): string =>
  /^(?!s[0-9a-f]{8}$)[a-zA-Z0-9-]{1,14}$/.test(name)
    ? name
    : rewritten(name, /[^a-zA-Z0-9]+/gu, { max: 14, hash: 4, empty: 'server' });

/** The key in a tool's id. */
export const keyOfTool = (id: string): string => id.split('__', 1)[0] ?? '';

/** A name that an id can't hold, without what it can't hold, and with a piece of its hash that keeps it apart from others. */
function rewritten(name: string, others: RegExp, { max, hash, empty }: { max: number; hash: number; empty: string }) {
  const piece = createHash('sha256').update(name).digest('hex').slice(0, hash);
  const plain = name
    .normalize('NFKD')
    .replaceAll(others, '-')
    .slice(0, max - hash - 1);
  return `${plain.replaceAll(/^-|-$/gu, '') || empty}-${piece}`;
}
