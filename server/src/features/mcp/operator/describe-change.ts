import { isDeepStrictEqual } from 'node:util';
import type { McpTool } from '../../../platform/mcp/mcp-connection.ts';
import type { OperatorToolPin } from '../mcp.table.ts';

/** As JSON on one line, because control characters in a stranger's text could rewrite the terminal. */
const shown = (value: unknown): string => JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}]/gu, '');

/** What changed about a tool, in lines for a terminal. */
export function describeChange({ name, approved, offered }: OperatorToolPin): string[] {
  if (offered === null) return [];
  if (approved === null) return [`  ${name} is new`, `    it says   ${shown(offered.description)}`, inputOf(offered)];
  const lines = [`  ${name} is described otherwise`];
  if (approved.description !== offered.description) {
    lines.push(`    approved  ${shown(approved.description)}`, `    now       ${shown(offered.description)}`);
  }
  if (!isDeepStrictEqual(approved.inputSchema, offered.inputSchema)) {
    lines.push(inputOf(approved), inputOf(offered));
  }
  if (!isDeepStrictEqual(approved.annotations ?? {}, offered.annotations ?? {})) {
    lines.push(`    it says of itself  ${shown(approved.annotations ?? {})}, now ${shown(offered.annotations ?? {})}`);
  }
  if (approved.readOnly !== offered.readOnly) {
    lines.push(offered.readOnly ? '    it says now that it only reads' : '    it no longer says that it only reads');
  }
  return lines;
}

const inputOf = ({ inputSchema }: McpTool) => `    input     ${shown(inputSchema)}`;
