/** How long after it was loaded a page is taken to have come to rest, in milliseconds. */
const REST_MS = 4000;

/**
 * Calls back once the page has come to rest, for what is sure to be wanted but not at first. Having it then also means that it is there
 * when the server no longer is. Returns the way to forget it.
 */
export function whenIdle(call: () => void): () => void {
  const timer = setTimeout(call, Math.max(0, REST_MS - performance.now()));
  return () => clearTimeout(timer);
}
