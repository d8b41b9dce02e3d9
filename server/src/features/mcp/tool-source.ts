import {
  type McpCall,
  type McpConnection,
  type McpResult,
  type McpTool,
  McpUnreachable,
} from '../../platform/mcp/mcp-connection.ts';
import { plainReason } from '../../platform/mcp/plain-reason.ts';
import type { Asker, Talk } from './connection-keeper.ts';
import { McpFailed } from './server-failure.service.ts';
import { sameTool, toolHash } from './tool-changes.ts';
import { toolId } from './tool-names.ts';

type ServerAnswer = Omit<McpResult, 'isError'>;

/** A tool server: the operator's, or a person's own. */
export interface ToolSource {
  id: string;
  /** Begins its tools' ids. */
  key: string;
  name: string;
  /** Why nothing but its tools' descriptions can be had, if that is so. */
  closedSentence?: string | undefined;
  /** Its approved tools, without contacting a server that was seen before. */
  approvedTools(): Promise<ApprovedTool[]>;
  /** The same, and begins to contact it where that may change them. */
  refreshedTools(): Promise<ApprovedTool[]>;
  /** Whether a tool asks before each call. */
  writes(tool: McpTool): boolean;
  /** Talks to it for a conversation, over a connection that is kept. */
  use<T>(asker: Asker, talk: Talk<T>): Promise<T>;
  /** Stores how what it offers differs from what was approved. */
  compare(now: McpTool[]): Promise<unknown>;
  /** Why an approved tool is off that it describes differently, or doesn't offer any more. */
  changedSentence: string;
  goneSentence: string;
  /** Why talking to it failed, in a sentence. */
  explain(error: unknown): McpFailed;
}

/** A tool as approved, and why it is off, if it is. */
export interface ApprovedTool {
  tool: McpTool;
  off: string | undefined;
}

/** A server's tool, for the catalogue and for runs. */
export interface ServerTool {
  id: string;
  /** What its server calls it, where that is not in its id. */
  title?: string;
  description: string;
  /** Asks before each call. */
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

/** The approved tools of a server. */
export const toolsOf = (source: ToolSource, approved: ApprovedTool[]): ServerTool[] =>
  approved.map(({ tool, off: changed }) => {
    const id = toolId(source.key, tool);
    const off = tool.unusable ?? changed;
    return {
      id,
      ...(id === `${source.key}__${tool.name}` ? {} : { title: tool.name }),
      description: tool.description,
      writes: source.writes(tool),
      server: source.name,
      inputSchema: tool.inputSchema,
      hash: toolHash(tool),
      isUnusable: tool.unusable !== undefined,
      ...(off === undefined ? {} : { off }),
      call: (input, conversation, call) =>
        callApproved(source, tool, { input, conversation, call }).catch((error: unknown) => {
          call.signal.throwIfAborted();
          throw source.explain(error);
        }),
    };
  });

/** Calls a tool while its server describes it as approved; the server is asked each time. */
function callApproved(
  source: ToolSource,
  tool: McpTool,
  { input, conversation, call }: { input: Record<string, unknown>; conversation: string; call: McpCall },
): Promise<ServerAnswer> {
  return source.use({ conversation, signal: call.signal }, async (connection, now, isAlone) => {
    const offered = now.find(({ name }) => name === tool.name);
    const isSame = offered !== undefined && sameTool(tool, offered);
    if (!isSame || offered.unusable !== tool.unusable) await source.compare(now);
    if (!isSame) throw new McpFailed(offered === undefined ? source.goneSentence : source.changedSentence);
    // Where conversations share a connection, nothing says whom a question is for.
    const ask: McpCall['ask'] = async (question) =>
      (isAlone() ? await call.ask?.(question) : undefined) ?? { action: 'cancel' };
    return callForResult(connection, offered, input, { ...call, ask });
  });
}

/** The answer of a tool as its server describes it now; throws McpFailed for errors of the server or the tool, and the signal's reason. */
async function callForResult(
  connection: McpConnection,
  tool: McpTool,
  input: Record<string, unknown>,
  call: McpCall,
): Promise<ServerAnswer> {
  if (tool.unusable !== undefined) throw new McpFailed(tool.unusable);
  const { isError, ...answer } = await connection.call(tool.name, input, call).catch((error: unknown) => {
    call.signal.throwIfAborted();
    if (error instanceof McpUnreachable) throw new McpFailed(error.message, error.kind);
    throw new McpFailed(
      `The server failed: ${error instanceof Error ? plainReason(error.message).slice(0, 300) : 'no reason was given'}`,
    );
  });
  if (isError) throw new McpFailed(answer.text.slice(0, 2_000) || 'The tool failed.');
  return answer;
}
