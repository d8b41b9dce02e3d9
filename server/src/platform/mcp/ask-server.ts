import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import { storableText } from '../storable-json.ts';
import { McpRefused, McpUnreachable } from './mcp-connection.ts';
import { plainReason } from './plain-reason.ts';

const WORDS_MAX = 300;
/** The connection's own: closed, timed out. */
const OF_CONNECTION: number[] = [ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout];

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
    if (error instanceof McpError && !OF_CONNECTION.includes(error.code)) {
      throw new McpRefused(storableText(plainReason(error.message), WORDS_MAX));
    }
    if (!isUnreadable(error)) throw error;
    throw new McpUnreachable('not_mcp', 'The server failed: its answer can’t be read.');
  }
}
