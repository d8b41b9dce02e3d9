import { DrizzleQueryError } from 'drizzle-orm';
import { FetchRefused } from '../../platform/fetch/guarded-fetch.ts';
import { type FailureKind, McpRefused, McpUnreachable } from '../../platform/mcp/mcp-connection.ts';
import { plainReason } from '../../platform/mcp/plain-reason.ts';

export const SIGNED_OUT = 'Your sign-in at this server has ended. Sign in again, in the list of tool servers.';

/** Why a server or its tool gave no result, in a sentence that may be shown. */
export class McpFailed extends Error {
  readonly kind: FailureKind | undefined;
  constructor(message: string, kind?: FailureKind) {
    super(message);
    this.kind = kind;
  }
}

/** Whether our database failed: it says nothing of a server. */
export const isOurs = (error: unknown): boolean => error instanceof DrizzleQueryError;

/**
 * Why a conversation with a server failed, in a sentence that may be shown; with the name of the operator's, which people don't know
 * otherwise. A failure of our database is thrown on.
 */
export function failedOf(error: unknown, named?: string): McpFailed {
  if (isOurs(error)) throw error;
  if (error instanceof McpFailed) return error;
  if (named !== undefined) {
    const why = error instanceof Error ? ` ${plainReason(error.message)}` : '';
    return new McpFailed(`The server “${named}” can’t be reached.${why}`);
  }
  if (error instanceof McpRefused) return new McpFailed(error.message, 'said_no');
  if (error instanceof FetchRefused) return new McpFailed(error.message, 'refused');
  if (error instanceof McpUnreachable) return new McpFailed(error.message, error.kind);
  return new McpFailed('The server does not speak the Model Context Protocol at this address.', 'not_mcp');
}
