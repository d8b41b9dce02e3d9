import {
  type McpCall,
  type McpConnection,
  type McpResult,
  type McpTool,
  McpUnreachable,
} from '../../platform/mcp/mcp-connection.ts';
import { plainReason } from '../../platform/mcp/plain-reason.ts';
import { McpFailed } from './server-failure.service.ts';

/** What a tool answered, without what the server must not repeat. */
export type ServerAnswer = Omit<McpResult, 'isError'>;

/** The answer of a tool as its server describes it now; throws McpFailed for errors of the server or the tool, and the signal's reason. */
export async function callForResult(
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
