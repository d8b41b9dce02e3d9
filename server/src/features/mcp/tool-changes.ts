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

/** Whether a server still describes a tool as approved. */
export const sameTool = (approved: McpTool, now: McpTool): boolean =>
  // Tools approved before annotations were stored are compared without them.
  toolHash(approved) === toolHash(approved.annotations === undefined ? { ...now, annotations: undefined } : now);

/** A tool as approved and as its server describes it now, null where it is missing. */
export interface ToolChange {
  name: string;
  before: McpTool | null;
  now: McpTool | null;
}

/** How what a server offers differs from what was approved, tool by tool. */
export const changesBetween = (approved: McpTool[], offered: McpTool[]): ToolChange[] => [
  ...offered.flatMap((now) => {
    const before = approved.find(({ name }) => name === now.name) ?? null;
    return before !== null && sameTool(before, now) ? [] : [{ name: now.name, before, now }];
  }),
  ...approved
    .filter((before) => !offered.some(({ name }) => name === before.name))
    .map((before) => ({ name: before.name, before, now: null })),
];
