import {
  type McpCall,
  type McpConnection,
  type McpResult,
  type McpTool,
  McpUnreachable,
} from '../../platform/mcp/mcp-connection.ts';
import { McpFailed } from './server-failure.service.ts';

/** What a tool answered, without what the server must not repeat. */
export type ServerAnswer = Omit<McpResult, 'isError'>;

/** A tool's answer; throws McpFailed for errors of the server or the tool, and the signal's reason. */
export async function callForResult(
  connection: McpConnection,
  tool: McpTool,
  input: Record<string, unknown>,
  call: McpCall,
): Promise<ServerAnswer> {
  const { isError, ...answer } = await connection.call(tool.name, input, call).catch((error: unknown) => {
    call.signal.throwIfAborted();
    if (error instanceof McpUnreachable) throw new McpFailed(error.message, error.kind);
    throw new McpFailed(
      `The server failed: ${error instanceof Error ? error.message.slice(0, 300) : 'no reason was given'}`,
    );
  });
  if (isError) throw new McpFailed(answer.text.slice(0, 2_000) || 'The tool failed.');
  return answer;
}
