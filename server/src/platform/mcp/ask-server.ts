import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { z } from 'zod';
import { refusalIn } from './explain-connection.ts';
import { McpRefused, McpUnreachable } from './mcp-connection.ts';

/** Whether a reader failed, whose own words are for nobody. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Error && ['SyntaxError', 'ZodError', '$ZodError'].includes(error.name);

/**
 * Asks a server and reads its answer, which has to come within `timeout`. Throws McpRefused with the server's words when it answers with an error of its own, and McpUnreachable
 * when its answer has another shape.
 */
export async function askServer<T extends z.ZodObject>(
  client: Client,
  request: { method: string; params: Record<string, unknown> },
  answer: T,
  timeout: number,
  options: Pick<RequestOptions, 'signal' | 'onprogress'>,
): Promise<z.infer<T>> {
  try {
    return await client.request(request, answer, { ...options, timeout, maxTotalTimeout: timeout });
  } catch (error) {
    // The library reports an abort under a code of the protocol, too.
    const refusal = options.signal?.aborted ? undefined : refusalIn(error);
    if (refusal !== undefined) throw new McpRefused(refusal);
    if (!isUnreadable(error)) throw error;
    throw new McpUnreachable('not_mcp', 'The server failed: its answer can’t be read.');
  }
}
