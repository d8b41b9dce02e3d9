import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderError } from './provider-error.ts';
import type { Watch } from './silence.ts';

const RETRY_PAUSE_MS = 250;
/** No answer is this long; cut off a server that floods us before it fills the memory. */
const BYTES_MAX = 32 * 1024 * 1024;
const WORTH_ANOTHER_TRY = new Set([502, 503, 504]);

/** Errors when the provider closes an idle connection just as we use it again. */
const STALE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const isStale = (error: unknown) =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  STALE.has(String(error.cause.code));

/**
 * The fetch of the provider's client, for one call. Every byte counts as a sign of life, so a model that thinks for minutes behind
 * keep-alive comments is not given up. A gateway's hiccup or a closed connection is retried once, before any text.
 */
export function providerFetch(watch: Watch): typeof fetch {
  return async (url, init) => {
    let response = await fetch(url, init).catch((error: unknown) => {
      if (!isStale(error) || watch.signal.aborted) throw error;
      return fetch(url, init);
    });
    if (WORTH_ANOTHER_TRY.has(response.status)) {
      await response.body?.cancel();
      await sleep(RETRY_PAUSE_MS, undefined, { signal: watch.signal });
      response = await fetch(url, init);
    }
    watch.touch();
    if (response.ok && (response.headers.get('content-type') ?? '').includes('text/html')) {
      await response.body?.cancel();
      throw new ProviderError('The provider answered with a web page instead of an answer. Check OPENAI_BASE_URL.');
    }
    if (response.body === null) return response;
    const body = response.body.pipeThrough(countBytes(watch));
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
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
