import { isDeepStrictEqual } from 'node:util';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';

/** Whether a server still describes a tool as it was approved. */
export const sameTool = (a: McpTool, b: McpTool): boolean =>
  a.name === b.name &&
  a.description === b.description &&
  a.readOnly === b.readOnly &&
  // The database keeps an object's keys in an order of its own.
  isDeepStrictEqual(a.inputSchema, b.inputSchema);
