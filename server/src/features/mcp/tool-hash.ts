import { createHash } from 'node:crypto';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';

/** Equal values give equal JSON: the database reorders an object's keys. */
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

/** Identifies exactly what is shown of a tool: its name, description, input and annotations. */
export const toolHash = ({ name, description, inputSchema, readOnly, annotations }: McpTool): string =>
  hashOf({ name, description, inputSchema, readOnly, annotations });

/** Identifies a list of tools in any order. */
export const toolsHash = (tools: McpTool[]): string => hashOf(tools.map(toolHash).toSorted());

/** An approved tool, with what its server says now about whether it can be used: that is no part of what was approved. */
export const nowUsable = (approved: McpTool, now: McpTool[]): McpTool => ({
  ...approved,
  unusable: now.find(({ name }) => name === approved.name)?.unusable,
});

/** Whether a server still offers exactly what was approved. */
export const sameTools = (approved: McpTool[], now: McpTool[]): boolean =>
  approved.length === now.length &&
  approved.every((tool) => now.some((offered) => offered.name === tool.name && sameTool(tool, offered)));

/** Whether a server still describes a tool as approved. */
export const sameTool = (approved: McpTool, now: McpTool): boolean =>
  // Tools approved before annotations were stored are compared without them.
  toolHash(approved) === toolHash(approved.annotations === undefined ? { ...now, annotations: undefined } : now);
