import type { Config } from '../../config.ts';
import { createGuardedFetch, FetchRefused } from '../../platform/fetch/guarded-fetch.ts';
import { readBlocks } from '../../platform/fetch/public-address.ts';
import { connectHttp } from '../../platform/mcp/connect.ts';
import type { McpConnection, McpTool } from '../../platform/mcp/mcp-connection.ts';

/** Why a server or its tool gave no result, in a sentence that may be shown. */
export class McpFailed extends Error {}

/** One conversation with a stranger's server: connect, use, disconnect. Throws McpFailed. */
export async function withServer<T>(
  config: Pick<Config, 'FETCH_ALLOWED'>,
  url: string,
  talk: (connection: McpConnection) => Promise<T>,
): Promise<T> {
  const guarded = createGuardedFetch({ allowed: readBlocks(config.FETCH_ALLOWED) });
  let connection: McpConnection | undefined;
  try {
    // undici's own types for what the platform's fetch also has.
    const fetchFrom = guarded.once as unknown as (url: string | URL, init?: RequestInit) => Promise<Response>;
    connection = await connectHttp(url, fetchFrom);
    return await talk(connection);
  } catch (error) {
    if (error instanceof McpFailed) throw error;
    if (error instanceof FetchRefused) throw new McpFailed(error.message);
    throw new McpFailed('The server could not be reached, or it does not speak the Model Context Protocol.');
  } finally {
    await connection?.close();
    await guarded.close();
  }
}

/** A tool's answer as text; throws McpFailed for errors of the server or the tool, and the signal's reason. */
export async function readResult(
  connection: McpConnection,
  tool: McpTool,
  input: Record<string, unknown>,
  signal: AbortSignal,
): Promise<string> {
  const result = await connection.call(tool.name, input, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new McpFailed(
      `The server failed: ${error instanceof Error ? error.message.slice(0, 300) : 'no reason was given'}`,
    );
  });
  if (result.isError) throw new McpFailed(result.text.slice(0, 2_000) || 'The tool failed.');
  return result.text;
}
