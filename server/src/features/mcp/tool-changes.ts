import type { McpServer } from '@atelier/contract/mcp';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import type { McpServerRow } from './mcp.table.ts';
import { sameTool, toolsHash } from './tool-hash.ts';

/** What waits for approval, and the hash that approves it. */
export const changeOf = ({ changedAt, tools, offered }: McpServerRow): Pick<McpServer, 'changes' | 'seen'> =>
  changedAt === null || offered === null
    ? { changes: [], seen: null }
    : { changes: changesOf(tools, offered), seen: toolsHash(offered) };

/** What a new approval would change, tool by tool. */
function changesOf(approved: McpTool[], offered: McpTool[]): McpServer['changes'] {
  const before = new Map(approved.map((tool) => [tool.name, tool]));
  const gone = approved.filter((tool) => !offered.some(({ name }) => name === tool.name));
  return [
    ...offered.flatMap((tool) => {
      const known = before.get(tool.name);
      if (known !== undefined && sameTool(known, tool)) return [];
      const words = ownWordsOf(tool);
      const input = known !== undefined && ownWordsOf(known) === words ? null : words;
      return [{ name: tool.name, before: known?.description ?? null, now: tool.description, input }];
    }),
    ...gone.map((tool) => ({ name: tool.name, before: tool.description, now: null, input: null })),
  ];
}

/** A tool's input schema and annotations, readable. */
const ownWordsOf = ({ inputSchema, annotations }: McpTool): string =>
  JSON.stringify({ input: inputSchema, ...(annotations === undefined ? {} : { annotations }) }, null, 2);
