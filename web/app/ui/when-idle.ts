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

/** How long `afterContent` waits for a moment without work at most, and how long after it, until that work is on the screen; in milliseconds. */
const CONTENT_MS = 1000;
const PAINTED_MS = 500;

/** Calls back soon after the content is on the screen: what this starts must not hold it back. Returns a function that cancels. */
export function afterContent(call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (ms: number) => {
    timer = setTimeout(call, ms);
  };
  // Safari has no such moments.
  if (typeof requestIdleCallback === 'undefined') {
    soon(CONTENT_MS);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(() => soon(PAINTED_MS), { timeout: CONTENT_MS });
  return () => {
    cancelIdleCallback(asked);
    clearTimeout(timer);
  };
}
