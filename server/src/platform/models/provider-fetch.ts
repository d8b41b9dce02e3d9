import { setTimeout as sleep } from 'node:timers/promises';
import { inSeconds } from '../language/in-seconds.ts';
import { isRecord, parsedJson } from '../parsed-json.ts';
import type { Watch } from '../silence.ts';
import { ProviderError, WEB_PAGE } from './provider-error.ts';

/** The first pause before another try; each further one is twice as long. */
const PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A shorter wait is not worth a sentence. */
const SHOWN_FROM_MS = 1_000;
/** No answer is this long; cut off a server that floods us before it fills the memory. */
const BYTES_MAX = 32 * 1024 * 1024;
/** Too many requests, a gateway's hiccup, a model that is being loaded; 529 is Anthropic's “overloaded”. */
const WORTH_ANOTHER_TRY = new Set([429, 502, 503, 504, 529]);
/** Money does not come back within seconds. */
const OUT_OF_CREDIT = /insufficient_quota|billing_hard_limit|insufficient_balance/u;

/** Errors when the provider closes an idle connection just as we use it again. */
const STALE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const isStale = (error: unknown) =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  STALE.has(String(error.cause.code));

/** How one call bears with its provider. */
export interface Patience {
  /** For how long a busy provider is asked again. */
  patienceMs: number;
  /** Told, in a sentence for people, before a wait that they would notice. */
  onWait?: ((why: string) => void) | undefined;
  /** Fields that the provider has refused before. */
  leaveOut?: ReadonlySet<OptionalField> | undefined;
  /** Told when the provider refuses a field, and answers without it. */
  onRefused?: ((field: OptionalField) => void) | undefined;
  /** The query of the provider’s address, which goes along with each request: Azure’s has the version of its interface. */
  search?: string | undefined;
}

/** What an answer can do without. Models for reasoning refuse a temperature; strict servers every field that they don’t know. */
const OPTIONAL_FIELDS = ['temperature', 'stream_options', 'max_tokens'] as const;
export type OptionalField = (typeof OPTIONAL_FIELDS)[number];
/** A field that goes under another name where it is refused: OpenAI’s models for reasoning name this one in the refusal. */
const RENAMED = new Map([['max_tokens', 'max_completion_tokens']]);

/**
 * The fetch of the provider's client, for one call. Every byte counts as a sign of life, so a model that thinks for minutes behind
 * keep-alive comments is not given up. A busy provider is asked again as long as patience lasts, when it says so or after growing pauses.
 */
export function providerFetch(watch: Watch, patience: Patience): typeof fetch {
  return async (plain, init) => {
    const url = patience.search ? withSearch(plain, patience.search) : plain;
    let request = without(init, [...(patience.leaveOut ?? [])]);
    const dropped: OptionalField[] = [];
    let response = await askPatiently(url, request, watch, patience);
    for (let field = await refusedField(response, request); field; field = await refusedField(response, request)) {
      await response.body?.cancel();
      request = without(request, [field]);
      dropped.push(field);
      response = await askPatiently(url, request, watch, patience);
    }
    // A refusal that only names a field has another reason.
    if (response.ok) for (const field of dropped) patience.onRefused?.(field);
    watch.touch();
    if (response.status >= 300 && response.status < 400) throw await sentOn(response, url);
    const isPage = response.ok && (response.headers.get('content-type') ?? '').includes('text/html');
    return isPage ? unlessPage(response) : response;
  };
}

/** The same answer, under whatever type it came; throws for the page of a proxy. */
async function unlessPage(response: Response): Promise<Response> {
  const text = await response.text();
  if (text.trimStart().startsWith('<')) throw new ProviderError(WEB_PAGE);
  return new Response(text, { status: response.status });
}

type Url = Parameters<typeof fetch>[0];
type Init = Parameters<typeof fetch>[1];

/** Whoever follows a redirect takes prompt and key along, to a server that the operator didn't name. */
async function sentOn(response: Response, from: Url): Promise<ProviderError> {
  await response.body?.cancel();
  const to = URL.parse(response.headers.get('location') ?? '', String(from instanceof Request ? from.url : from));
  const where = to === null ? 'elsewhere' : `to ${to.host}`;
  return new ProviderError(`The provider sends us on ${where}, which was not followed. Check its address.`);
}

async function askPatiently(
  url: Url,
  request: Init,
  watch: Watch,
  { patienceMs, onWait }: Patience,
): Promise<Response> {
  const init = { ...request, redirect: 'manual' } as const;
  const giveUpAt = performance.now() + patienceMs;
  for (let attempt = 0; ; attempt += 1) {
    watch.isAsked = true;
    const response = counted(
      await fetch(url, init).catch((error: unknown) => {
        if (!isStale(error) || watch.signal.aborted) throw error;
        return fetch(url, init);
      }),
      watch,
    );
    watch.isAsked = response.ok;
    if (!WORTH_ANOTHER_TRY.has(response.status)) return response;
    const wait =
      toldWait(response.headers) ?? Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** attempt) * (1 + Math.random() / 4);
    if (performance.now() + wait > giveUpAt) return response;
    const copy = response.clone();
    if (OUT_OF_CREDIT.test(await response.text())) return copy;
    await copy.body?.cancel();
    if (wait >= SHOWN_FROM_MS) onWait?.(whyWaiting(response.status, wait));
    // It has answered, and will not be silent for longer than we wait.
    const release = watch.hold();
    await sleep(wait, undefined, { signal: watch.signal }).finally(release);
  }
}

/** The wait that the provider asks for, in milliseconds. */
function toldWait(headers: Headers): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (ms > 0) return ms;
  const after = headers.get('retry-after');
  if (after === null) return undefined;
  const wait = /^\d{1,9}$/u.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return Number.isFinite(wait) ? Math.max(wait, PAUSE_MS) : undefined;
}

function whyWaiting(status: number, wait: number): string {
  const seconds = Math.ceil(wait / 1_000);
  const why = status === 429 ? 'The provider limits requests' : 'The provider is busy';
  return `${why} (${status}). Trying again in ${inSeconds(seconds)}.`;
}

function withSearch(url: Url, search: string): Url {
  const whole = new URL(url instanceof Request ? url.url : url);
  whole.search = search;
  return whole;
}

const bodyOf = (init: Init): unknown => (typeof init?.body === 'string' ? parsedJson(init.body) : undefined);

function without(init: Init, fields: readonly OptionalField[]): Init {
  const body = fields.length === 0 ? undefined : bodyOf(init);
  if (!isRecord(body)) return init;
  const rest = Object.entries(body).flatMap(([key, value]) => {
    const name = fields.some((field) => field === key) ? RENAMED.get(key) : key;
    return name === undefined ? [] : [[name, value]];
  });
  return { ...init, body: JSON.stringify(Object.fromEntries(rest)) };
}

/** The field that a refusal names first, of those that the request has and that an answer can do without. */
async function refusedField(response: Response, init: Init): Promise<OptionalField | undefined> {
  if (response.status !== 400 && response.status !== 422) return undefined;
  const body = bodyOf(init);
  if (!isRecord(body)) return undefined;
  const reply = (await response.clone().text()).toLowerCase();
  const at = (field: OptionalField) => reply.indexOf(RENAMED.get(field) ?? field);
  return OPTIONAL_FIELDS.filter((field) => body[field] !== undefined && at(field) !== -1).toSorted(
    (a, b) => at(a) - at(b),
  )[0];
}

/** The same response, whose bytes are counted while it is read. */
function counted(response: Response, watch: Watch): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      watch.touch();
      bytes += chunk.byteLength;
      if (bytes > BYTES_MAX) controller.error(new ProviderError('The provider’s answer is too large.'));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
}
