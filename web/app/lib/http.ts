import type { Call, ParamsOf, SchemaOf } from '@atelier/contract/calls';
import { errorBody, SENTENCES } from '@atelier/contract/errors';
import { z } from 'zod';
import { createListeners } from '../ui/shared-value.ts';
import { takeEarly, untilAborted } from './early.ts';
import { attempt } from './typed/words.ts';

/** Requests fail after this long, with a sentence. */
export const TIMEOUT_MS = 30_000;

interface ErrorDetails {
  field: string;
  retryAfter: number;
  isWordless: boolean;
}

/** A refused or failed request. `status` 0 means that no answer came (`code` `offline` or `timeout`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  /** Seconds to wait, if the server said so. */
  readonly retryAfter: number | undefined;
  /** The answer had no words for people; `message` is our own. */
  readonly isWordless: boolean;

  constructor(status: number, code: string, message: string, more: Partial<ErrorDetails> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.field = more.field;
    this.retryAfter = more.retryAfter;
    this.isWordless = more.isWordless ?? false;
  }
}

/** better-auth answers `/api/auth/*` with its own shape. */
const identityBody = z.object({
  code: z.string().optional(),
  message: z.string().optional(),
  field: z.string().optional(),
});

/** Reads a refusal in either shape; never throws, and always has a sentence. */
export function readError(status: number, body: unknown, headers: Headers): ApiError {
  const seconds = Number(headers.get('retry-after') ?? headers.get('x-retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  const ours = errorBody.safeParse(body);
  if (ours.success) {
    const { code, message, field } = ours.data.error;
    return new ApiError(status, code, message, { field, retryAfter });
  }
  const theirs = identityBody.safeParse(body);
  const code = theirs.data?.code ?? (status === 429 ? 'too_many_requests' : 'unknown');
  const message = theirs.data?.message;
  const isWordless = message === undefined && status !== 413;
  return new ApiError(status, code, message ?? withoutWords(status, headers), {
    ...theirs.data,
    retryAfter,
    isWordless,
  });
}

/** A sentence for an answer that isn't the server's own: it never answers 413 without one, so a proxy in front of it did. */
function withoutWords(status: number, headers: Headers): string {
  if (status !== 413) return `The server answered with an error (${status}). Please try again.`;
  const [name] = /^[A-Za-z][\w-]*/u.exec(headers.get('server') ?? '') ?? [];
  const proxy = name === undefined ? 'A proxy' : `The proxy “${name}”`;
  return `${proxy} in front of this server refuses files of this size. The operator can raise its limit.`;
}

const traffic = createListeners<[answered: boolean]>();

/** Reports for every request whether an answer came, whatever it was. Returns a function that stops. */
export const subscribeTraffic = traffic.subscribe;

export interface RequestOptions {
  headers?: Record<string, string>;
  /** In milliseconds. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Anyone may ask it, also after a sign-out. */
  isPublic?: boolean;
}

/** The sign-out that is on its way. */
let leaving: Promise<void> | undefined;

/**
 * Ends the sign-in by `signOut`, which asks the server at once, unless another one is on its way. Requests that begin before it is done wait for
 * it, and are refused unless it failed or they read what is public: the server would refuse them too, which browsers report.
 */
export async function leaveBy(signOut: () => Promise<void>): Promise<void> {
  leaving ??= signOut().finally(() => {
    leaving = undefined;
  });
  await leaving;
}

/** Calls the server and returns its answer, checked. Throws `ApiError`, or the reason of `signal` once that aborts. */
export async function request<T>(
  schema: z.ZodType<T>,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  options: RequestOptions = {},
): Promise<T> {
  if (leaving !== undefined) {
    const isGone = leaving.then(
      () => true,
      () => false,
    );
    const isRefused = (await untilAborted(isGone, options.signal)) && !(method === 'GET' && options.isPublic);
    if (isRefused) throw new ApiError(401, 'signed_out', SENTENCES.signedOut);
  }
  const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  try {
    const early = method === 'GET' ? takeEarly(path, signal) : undefined;
    const response = await (early ??
      fetch(path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
        body: body === undefined ? undefined : JSON.stringify(body, wellFormed),
        signal,
      }));
    traffic.tell(true);
    const answer = await readBody(response);
    if (!response.ok) throw readError(response.status, answer, response.headers);
    return parseAnswer(schema, answer, response.status);
  } catch (error) {
    if (error instanceof ApiError || options.signal?.aborted) throw error;
    if (timeout.aborted) throw new ApiError(0, 'timeout', SENTENCES.timeout);
    traffic.tell(false);
    throw new ApiError(0, 'offline', SENTENCES.offline);
  }
}

type None = Record<never, never>;
type Query<One> = z.input<SchemaOf<One, 'query'>>;

type Addressed<One> = ([keyof ParamsOf<One>] extends [never] ? None : { params: ParamsOf<One> }) &
  ([SchemaOf<One, 'query'>] extends [never]
    ? None
    : None extends Query<One>
      ? { query?: Query<One> }
      : { query: Query<One> });
type CallInput<One> = RequestOptions &
  Addressed<One> &
  ([SchemaOf<One, 'body'>] extends [never] ? None : { body: z.input<SchemaOf<One, 'body'>> });
type Parts = RequestOptions & { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown };

function fill(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const entries = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]));
  return entries.length === 0 ? filled : `${filled}?${new URLSearchParams(entries)}`;
}

/** The address of a call, for what isn't fetched by `call`: a download, an upload. */
export const addressOf = <One extends Call>({ path }: One, addressed: Addressed<One>): string =>
  fill(path, addressed as Parts);

/** What a call is sent with; nothing where it needs nothing. */
export type SentWith<One> = None extends CallInput<One> ? [sent?: CallInput<One>] : [sent: CallInput<One>];
/** What a call answers; undefined where it has none. */
export type AnswerOf<One> = [SchemaOf<One, 'answer'>] extends [never] ? undefined : z.output<SchemaOf<One, 'answer'>>;

/** Makes a call of the contract and returns its answer, checked. Throws as `request` does. */
export function call<One extends Call>(one: One, ...sent: SentWith<One>): Promise<AnswerOf<One>>;
export function call({ method, path, options }: Call, { body, ...sent }: Parts = {}): Promise<unknown> {
  const schema = (options.answer as z.ZodType | undefined) ?? z.undefined();
  return request(schema, method, fill(path, sent), body, { ...sent, isPublic: options.who === 'public' });
}

/** All pages of a list, one after another. */
export async function fetchPages<Page extends { nextCursor: string | null }>(
  fetchPage: (cursor: string | undefined) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor);
    pages.push(page);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

/** Puts a file's own bytes, where the answer isn't needed. Throws `ApiError`. */
export async function sendBytes(path: string, bytes: Blob): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(path, { method: 'PUT', body: bytes, signal }).catch(() => null);
  traffic.tell(answer !== null);
  if (answer === null) throw new ApiError(0, 'offline', signal.aborted ? SENTENCES.timeout : SENTENCES.offline);
  if (!answer.ok) throw readError(answer.status, await readBody(answer), answer.headers);
}

/** Replaces half an emoji, cut off by a program or a paste, instead of having the whole request refused. */
const wellFormed = (_key: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value);

const readBody = async (response: Response): Promise<unknown> => parseBody(await response.text());

/** The JSON of an answer; undefined where it has none. */
export const parseBody = (text: string): unknown => attempt(() => JSON.parse(text));

function parseAnswer<T>(schema: z.ZodType<T>, answer: unknown, status: number): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  console.error('The server’s answer does not match the contract.', parsed.error);
  const message = 'The server sent something unexpected. Please reload the page.';
  throw new ApiError(status, 'unexpected_answer', message, { isWordless: true });
}

/** The sentence to show for any error. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? error.message : SENTENCES.boundary;
}
