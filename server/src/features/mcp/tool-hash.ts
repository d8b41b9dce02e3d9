import { createHash } from 'node:crypto';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';

/** The same JSON for the same value: the database keeps an object's keys in an order of its own. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, canonical(inner)]));
}

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(value)))
    .digest('hex');

/** Names exactly what is shown of a tool: its name, description, input and what its server says of it. */
export const toolHash = ({ name, description, inputSchema, readOnly, annotations }: McpTool): string =>
  hashOf({ name, description, inputSchema, readOnly, annotations });

/** Names a list of tools, in whatever order. */
export const toolsHash = (tools: McpTool[]): string => hashOf(tools.map(toolHash).toSorted());

/** Whether a server still describes a tool as it was approved. */
export const sameTool = (approved: McpTool, now: McpTool): boolean =>
  // Tools that were approved before annotations were kept are compared without them.
  toolHash(approved) === toolHash(approved.annotations === undefined ? { ...now, annotations: undefined } : now);
