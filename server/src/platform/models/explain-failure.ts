import { APICallError, RetryError, TypeValidationError } from 'ai';
import { inSeconds } from '../language/in-seconds.ts';
import { isRecord, parsedJson } from '../parsed-json.ts';
import { redact } from '../redact.ts';
import { errorTextOf, NONSENSE, type ProviderAnswer, ProviderError } from './provider-error.ts';

const CUT = 'The connection to the provider broke off before the answer was complete.';
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** A prompt longer than the model reads. OpenAI has the code `context_length_exceeded`; others only words, each its own: see the test. */
const TOO_LONG =
  /context[ _-]?(?:length|window|size|limit)|max(?:imum)?[ _](?:prompt|model|context|input)[ _]len|(?:prompt|input|request|conversation|message)s? (?:is |are )?too (?:long|large|big)|too many (?:input )?tokens|max(?:imum)? (?:number of )?(?:input )?tokens?|tokens? limit|tokens in the prompt|reduce the length|range of input length|`inputs` tokens|tokens to keep from the initial prompt/iu;

/** A limit that passes, whose sentence may name the prompt too; a prompt that is larger than all of it never fits. */
const PASSES = /per (?:minute|day)|please wait|try again later|rate limit/iu;
const NEVER_FITS = /request too large/iu;

/** Turns any error of a provider or its connection into one clear line of at most 300 characters without secrets. */
export function explainFailure(
  error: unknown,
  secrets: string[],
  origin: Pick<ProviderAnswer, 'provider' | 'model'> = {},
): ProviderError {
  const cause = findCause(error, (e) => e instanceof ProviderError);
  const message = cause?.message ?? sentenceFor(error);
  const call = findCause(error, APICallError.isInstance);
  const answer = {
    ...origin,
    status: call?.statusCode,
    ...codesIn(cause || call === undefined ? { error: cause ?? error } : parsedJson(call.responseBody ?? '')),
  };
  const isMissing = answer.status === 404;
  const words = `${answer.code} ${answer.type} ${message}`;
  const passes = (answer.status === 429 || PASSES.test(words)) && !NEVER_FITS.test(words);
  const isTooLong = TOO_LONG.test(words) && !passes;
  return new ProviderError(redact(message, secrets), { cause: error, isMissing, isTooLong, answer });
}

/** The names that a provider has for what went wrong; Google calls its one a status. */
function codesIn(body: unknown): Pick<ProviderAnswer, 'code' | 'type'> {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const word = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { code: word(error.code), type: word(error.type) ?? word(error.status) };
}

function sentenceFor(error: unknown): string {
  const call = findCause(error, APICallError.isInstance);
  if (call?.statusCode !== undefined && call.statusCode >= 400) {
    // The SDK's own message is only what its schema of an error understood.
    const sentence = errorTextOf(call.responseBody) ?? call.message;
    return statusSentence(call.statusCode, sentence, call.responseHeaders?.['retry-after']);
  }
  const code = codeOf(error);
  if (UNREACHABLE.has(code)) return `The provider could not be reached (${code}).`;
  if (/^CERT_|^ERR_TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    return `The provider's certificate could not be verified (${code}).`;
  }
  const name = nameOf(error);
  if (code === 'ECONNRESET' || code.startsWith('UND_ERR') || code === 'EPIPE') return CUT;
  const inner = errorIn(findCause(error, TypeValidationError.isInstance)?.value);
  if (inner !== undefined) return reported(inner);
  if (name === 'AI_InvalidResponseDataError') return 'The provider ended the answer before it was complete.';
  if (/JSONParse|TypeValidation|EmptyResponse|NoOutput|NoContent/.test(name)) return NONSENSE;
  if (call !== undefined) return call.statusCode === undefined ? 'The provider could not be reached.' : NONSENSE;
  if (error instanceof TypeError && error.message === 'terminated') return CUT;
  // fetch itself says only that it failed.
  const unsent = findCause(error, (e): e is TypeError => e instanceof TypeError && e.message === 'fetch failed')?.cause;
  if (unsent instanceof Error) return `The provider could not be reached (${unsent.message}).`;
  return reported(errorTextOf(error) ?? (error instanceof Error ? error.message.trim() : ''));
}

const reported = (sentence: string): string =>
  sentence === ''
    ? 'The provider reported an error without saying what went wrong.'
    : `The provider reported an error: ${sentence}`;

/** The provider's sentence in a value that is no answer; undefined where it has none. */
const errorIn = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && !('choices' in value) ? errorTextOf(value) : undefined;

function statusSentence(status: number, message: string, retryAfter: string | undefined): string {
  const detail = message.trim() === '' ? '' : `: ${message.trim()}`;
  if (status === 401 || status === 403) return `The provider refused the API key (${status})${detail}`;
  if (status === 404) return `The provider does not know this model or address (404)${detail}`;
  if (status === 429) {
    const wait = /^\d{1,5}$/.test(retryAfter ?? '') ? `, try again in ${inSeconds(Number(retryAfter))}` : '';
    return `The provider limits requests or has no credit left (429)${wait}${detail}`;
  }
  return status >= 500
    ? `The provider failed (${status})${detail}`
    : `The provider refused the request (${status})${detail}`;
}

/** Looks through the errors that fetch and the AI SDK wrap around the cause. */
function findCause<T>(error: unknown, wanted: (e: unknown) => e is T): T | undefined {
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
  const cause = findCause(
    error,
    (e): e is { code: string } => typeof e === 'object' && e !== null && 'code' in e && typeof e.code === 'string',
  );
  return cause instanceof Error ? cause.code : '';
}

function nameOf(error: unknown): string {
  const isOther = (e: unknown): e is Error =>
    e instanceof Error && e.name.startsWith('AI_') && !APICallError.isInstance(e);
  return findCause(error, isOther)?.name ?? '';
}
