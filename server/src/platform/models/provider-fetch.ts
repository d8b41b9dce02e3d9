import { setTimeout as sleep } from 'node:timers/promises';
import { inSeconds } from '../language/in-seconds.ts';
import { parsedJson } from '../parsed-json.ts';
import { ProviderError } from './provider-error.ts';
import type { Watch } from './silence.ts';
import { wholeAsStream } from './whole-as-stream.ts';

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
  /** Told when the model refuses a temperature; it is asked again without. */
  onNoTemperature?: (() => void) | undefined;
}

/**
 * The fetch of the provider's client, for one call. Every byte counts as a sign of life, so a model that thinks for minutes behind
 * keep-alive comments is not given up. A busy provider is asked again as long as patience lasts, when it says so or after growing pauses.
 */
export function providerFetch(watch: Watch, patience: Patience): typeof fetch {
  return async (url, init) => {
    let response = await askPatiently(url, init, watch, patience);
    const cooler = response.status === 400 ? await withoutTemperature(response, init) : undefined;
    if (cooler !== undefined) {
      patience.onNoTemperature?.();
      response = await askPatiently(url, cooler, watch, patience);
    }
    watch.touch();
    if (response.status >= 300 && response.status < 400) throw await sentOn(response, url);
    const kind = response.headers.get('content-type') ?? '';
    if (response.ok && kind.includes('text/html')) {
      await response.body?.cancel();
      throw new ProviderError('The provider answered with a web page instead of an answer. Check its address.');
    }
    return response.ok && kind.includes('json') && bodyOf(init)?.stream === true ? wholeAsStream(response) : response;
  };
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

async function askPatiently(url: Url, asked: Init, watch: Watch, { patienceMs, onWait }: Patience): Promise<Response> {
  const init = { ...asked, redirect: 'manual' } as const;
  const giveUpAt = performance.now() + patienceMs;
  for (let attempt = 0; ; attempt += 1) {
    const response = counted(
      await fetch(url, init).catch((error: unknown) => {
        if (!isStale(error) || watch.signal.aborted) throw error;
        return fetch(url, init);
      }),
      watch,
    );
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

function bodyOf(init: Init): Record<string, unknown> | undefined {
  const body = typeof init?.body === 'string' ? parsedJson(init.body) : undefined;
  return typeof body === 'object' && body !== null ? { ...body } : undefined;
}

/** The request without its temperature, where that was what the model refused. */
async function withoutTemperature(response: Response, init: Init): Promise<Init | undefined> {
  const body = bodyOf(init);
  if (body?.temperature === undefined) return undefined;
  if (!(await response.clone().text()).toLowerCase().includes('temperature')) return undefined;
  await response.body?.cancel();
  const { temperature: _refused, ...rest } = body;
  return { ...init, body: JSON.stringify(rest) };
}

/** The same response, whose bytes are counted while it is read. */
function counted(response: Response, watch: Watch): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(countBytes(watch)), { status, statusText, headers });
}

function countBytes(watch: Watch) {
  let bytes = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      watch.touch();
      bytes += chunk.byteLength;
      if (bytes > BYTES_MAX) controller.error(new ProviderError('The provider’s answer is too large.'));
      else controller.enqueue(chunk);
    },
  });
}
