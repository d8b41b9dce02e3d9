import { APICallError, RetryError } from 'ai';
import { redact } from '../redact.ts';
import { NONSENSE, ProviderError } from './provider-error.ts';

const CUT = 'The connection to the provider broke off before the answer was complete.';
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** Turns any error of a provider or its connection into one clear line of at most 300 characters without secrets. */
export function explainFailure(error: unknown, secrets: string[]): ProviderError {
  const own = findCause(error, (e) => e instanceof ProviderError);
  const message = own instanceof ProviderError ? own.message : sentenceFor(error);
  return new ProviderError(redact(message, secrets), { cause: error });
}

function sentenceFor(error: unknown): string {
  const call = findCause(error, (e) => APICallError.isInstance(e));
  if (APICallError.isInstance(call) && call.statusCode !== undefined && call.statusCode >= 400) {
    return statusSentence(call.statusCode, call.message, call.responseHeaders?.['retry-after']);
  }
  const code = codeOf(error);
  if (UNREACHABLE.has(code)) return `The provider could not be reached (${code}).`;
  if (/^CERT_|^ERR_TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return `The provider's certificate could not be verified (${code}).`;
  }
  const name = nameOf(error);
  if (code === 'ECONNRESET' || code.startsWith('UND_ERR') || code === 'EPIPE') return CUT;
  if (name === 'AI_InvalidResponseDataError') return 'The provider ended the answer before it was complete.';
  if (/JSONParse|TypeValidation|EmptyResponse|NoOutput|NoContent/.test(name)) return NONSENSE;
  if (APICallError.isInstance(call))
    return call.statusCode === undefined ? 'The provider could not be reached.' : NONSENSE;
  if (error instanceof TypeError && error.message === 'terminated') return CUT;
  const said = messageOf(error);
  return said === ''
    ? 'The provider reported an error without saying what went wrong.'
    : `The provider reported an error: ${said}`;
}

function statusSentence(status: number, message: string, retryAfter: string | undefined): string {
  const said = message.trim() === '' ? '' : `: ${message.trim()}`;
  if (status === 401 || status === 403) return `The provider refused the API key (${status})${said}`;
  if (status === 404) return `The provider does not know this model or address (404)${said}`;
  if (status === 429) {
    const wait = /^\d{1,5}$/.test(retryAfter ?? '') ? `, try again in ${retryAfter} seconds` : '';
    return `The provider limits requests or has no credit left (429)${wait}${said}`;
  }
  return status >= 500
    ? `The provider failed (${status})${said}`
    : `The provider refused the request (${status})${said}`;
}

/** Looks through the errors that fetch and the AI SDK wrap around the cause. */
function findCause(error: unknown, wanted: (e: unknown) => boolean): unknown {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && current !== undefined && current !== null; depth += 1) {
    if (wanted(current)) return current;
    current = RetryError.isInstance(current)
      ? current.lastError
      : typeof current === 'object' && 'cause' in current
        ? current.cause
        : undefined;
  }
  return undefined;
}

function codeOf(error: unknown): string {
  const found = findCause(
    error,
    (e) => typeof e === 'object' && e !== null && 'code' in e && typeof e.code === 'string',
  );
  return typeof found === 'object' && found !== null && 'code' in found && found instanceof Error
    ? String(found.code)
    : '';
}

function nameOf(error: unknown): string {
  const found = findCause(error, (e) => e instanceof Error && e.name.startsWith('AI_') && !APICallError.isInstance(e));
  return found instanceof Error ? found.name : '';
}

/** An error inside a stream is a text, or an object with a message. */
function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') {
    return error.message;
  }
  return '';
}
