import { DrizzleQueryError } from 'drizzle-orm';
import { FetchRefused } from '../../platform/fetch/guarded-fetch.ts';
import { type FailureKind, McpRefused, McpUnreachable } from '../../platform/mcp/mcp-connection.ts';

export const SIGNED_OUT = 'Your sign-in at this server has ended. Sign in again, in the list of tool servers.';

/** Why a server or its tool gave no result, in a sentence that may be shown. */
export class McpFailed extends Error {
  readonly kind: FailureKind | undefined;
  constructor(message: string, kind?: FailureKind) {
    super(message);
    this.kind = kind;
  }
}

/** Why a conversation with a server failed, in a sentence that may be shown. A failure of our database is thrown on: it says nothing of that server. */
export function failedOf(error: unknown): McpFailed {
  if (error instanceof DrizzleQueryError) throw error;
  if (error instanceof McpFailed) return error;
  if (error instanceof McpRefused) return new McpFailed(error.message, 'said_no');
  if (error instanceof FetchRefused) return new McpFailed(error.message, 'refused');
  if (error instanceof McpUnreachable) return new McpFailed(error.message, error.kind);
  return new McpFailed('The server does not speak the Model Context Protocol at this address.', 'not_mcp');
}
