import type { McpCall, McpTool } from '../../platform/mcp/mcp-connection.ts';
import type { ServerAnswer } from './server-answer.ts';
import { toolHash } from './tool-hash.ts';
import { toolId } from './tool-names.ts';

/** A server's tool, for the catalogue and for runs. */
export interface ServerTool {
  id: string;
  /** What its server calls it, where that is not in its id. */
  title?: string;
  description: string;
  /** Asks before each call. A stranger's server is not trusted when it claims to be read-only. */
  writes: boolean;
  server: string;
  inputSchema: Record<string, unknown>;
  /** Identifies what was approved: approvals, grants and attachments refer to it. */
  hash: string;
  /** Why it is off: a call fails with this sentence. */
  off?: string;
  /** No model can be given it. */
  isUnusable: boolean;
  /** Calls it for a conversation. Throws McpFailed with a sentence. */
  call(input: Record<string, unknown>, conversation: string, call: McpCall): Promise<ServerAnswer>;
}

/** What both kinds of servers have in common; `changed` says why a tool is off that is otherwise usable. */
export function described(key: string, server: string, tool: McpTool, changed: string | undefined) {
  const id = toolId(key, tool);
  const off = tool.unusable ?? changed;
  return {
    id,
    ...(id === `${key}__${tool.name}` ? {} : { title: tool.name }),
    description: tool.description,
    server,
    inputSchema: tool.inputSchema,
    hash: toolHash(tool),
    isUnusable: tool.unusable !== undefined,
    ...(off === undefined ? {} : { off }),
  };
}
