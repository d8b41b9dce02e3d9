import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { FetchRefused } from '../fetch/guarded-fetch.ts';
import { storableText } from '../storable-json.ts';
import { McpUnreachable } from './mcp-connection.ts';
import { plainReason } from './plain-reason.ts';

/** What went wrong last between us and a server over HTTP. */
export interface Trouble {
  /** The status of the last request that was not answered well. */
  status?: number;
  /** Where a redirect leads that was not followed. */
  leadsTo?: string;
  error?: unknown;
}

const WORDS_MAX = 300;
const CERTIFICATES = new Map([
  ['CERT_HAS_EXPIRED', 'it has expired'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is signed by nobody but itself'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'it is signed by nobody but itself'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'it is not known who signed it'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'it is not known who signed it'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'it is not known who signed it'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'it belongs to another name'],
]);

/** Said when nothing comes, as the library says it; servers refuse in their own words under the same codes. */
export const NO_ANSWER = 'it did not answer';
const LATE = ['Request timed out', 'Maximum total timeout exceeded', NO_ANSWER];
const ENDED = ['Connection closed', NO_ANSWER];

const says = (error: unknown, code: ErrorCode, sentences: string[]) =>
  error instanceof McpError && sentences.some((words) => error.message === new McpError(code, words).message);

/** Whether no answer came in time. */
export const isLate = (error: unknown): boolean => says(error, ErrorCode.RequestTimeout, LATE);

/** What a server itself answered instead of a result, in its words; undefined where the connection failed. */
export const refusalIn = (error: unknown): string | undefined =>
  error instanceof McpError && !isLate(error) && !says(error, ErrorCode.ConnectionClosed, ENDED)
    ? storableText(plainReason(error.message), WORDS_MAX)
    : undefined;

/** The error as a sentence that tells the failures apart and says what to do. */
export function explainConnection(error: unknown, trouble: Trouble, host: string): McpUnreachable {
  if (error instanceof McpUnreachable) return error;
  const causes = [...causesOf(trouble.error), ...causesOf(error)];
  const refused = causes.find((cause) => cause instanceof FetchRefused);
  if (refused !== undefined) return new McpUnreachable('refused', refused.message);
  if (trouble.status !== undefined) return ofStatus(trouble.status, trouble.leadsTo);
  if (isLate(error)) return timedOut();
  const refusal = refusalIn(error);
  if (refusal !== undefined) return new McpUnreachable('refused', `The server refused this. It says: “${refusal}”`);
  const codes = causes.flatMap((cause) => ('code' in cause && typeof cause.code === 'string' ? [cause.code] : []));
  const certificate = codes.map((code) => CERTIFICATES.get(code)).find((why) => why !== undefined);
  if (certificate !== undefined || codes.some((code) => code.startsWith('ERR_SSL'))) {
    const why = certificate ?? 'the connection can’t be encrypted';
    return new McpUnreachable(
      'certificate',
      `The server’s certificate can’t be trusted: ${why}. Its owner must put that right; check the address meanwhile.`,
    );
  }
  if (codes.some((code) => code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')) return timedOut();
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN')) {
    return new McpUnreachable(
      'unreachable',
      `The server can’t be reached: no machine is called ${host}. Check the address.`,
    );
  }
  if (trouble.error !== undefined) {
    return new McpUnreachable(
      'unreachable',
      `The server can’t be reached: nothing answers at ${host}. Check the address and the port, and that the server runs.`,
    );
  }
  return new McpUnreachable(
    'not_mcp',
    'The server does not speak the Model Context Protocol at this address. Check the path; many servers use /mcp or /sse.',
  );
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) {
    causes.push(cause);
    // Several addresses of one name were tried.
    if (cause instanceof AggregateError) causes.push(...cause.errors.filter((inner) => inner instanceof Error));
  }
  return causes;
}

const timedOut = () =>
  new McpUnreachable('timeout', 'The server did not answer in time. Try again later, or ask its owner.');

function ofStatus(status: number, leadsTo: string | undefined): McpUnreachable {
  if (status === 401)
    return new McpUnreachable(
      'sign_in',
      'The server wants to know who you are (401). Sign in, or give it a token; if it has one, check that it is right and still valid.',
    );
  if (status === 403)
    return new McpUnreachable(
      'forbidden',
      'The server does not allow this (403). Check what the token or sign-in may do, or ask its owner.',
    );
  if (status === 404 || status === 410)
    return new McpUnreachable(
      'not_found',
      `The server has nothing at this address (${status}). Check the path; many servers use /mcp or /sse.`,
    );
  if (status >= 300 && status < 400)
    return new McpUnreachable(
      'redirect',
      `The server sends on to another address${leadsTo === undefined ? '' : `, at ${leadsTo}`}. Enter that address instead, if you trust it.`,
    );
  if (status === 429)
    return new McpUnreachable('server_error', 'The server gets too many requests (429). Try again later.');
  if (status >= 500)
    return new McpUnreachable(
      'server_error',
      `The server has a problem of its own (${status}). Try again later, or tell its owner.`,
    );
  return new McpUnreachable(
    'not_mcp',
    `The server refused the request (${status}), so it probably does not speak the Model Context Protocol at this address. Check the path.`,
  );
}
