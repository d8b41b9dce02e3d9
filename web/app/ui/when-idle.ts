/** How long after loading a page counts as idle, in milliseconds. */
const REST_MS = 4000;

/**
 * Calls back once the page is idle, to load what will be needed later; then it is available even when the server no longer is. Returns a
 * function that cancels.
 */
export function whenIdle(call: () => void): () => void {
  const timer = setTimeout(call, Math.max(0, REST_MS - performance.now()));
  return () => clearTimeout(timer);
}
