/** How long after its content is on the screen a page counts as idle, in milliseconds. */
const REST_MS = 4000;

/** When the largest part of the content so far was painted; a browser that doesn't say so counts from the beginning. */
let paintedMs = 0;
function watchPaint() {
  try {
    new PerformanceObserver((list) => {
      paintedMs = list.getEntries().at(-1)?.startTime ?? paintedMs;
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  } catch {
    // Browsers that don't know this kind of entry.
  }
}
if (typeof document !== 'undefined') watchPaint();

/** Calls back once the page is idle, to load what is needed later, even if the server is gone by then. Returns a function that cancels. */
export function whenIdle(call: () => void): () => void {
  const wait = () => {
    const rest = paintedMs + REST_MS - performance.now();
    if (rest > 0) timer = setTimeout(wait, rest);
    else call();
  };
  let timer = setTimeout(wait);
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
  const handle = requestIdleCallback(() => soon(PAINTED_MS), { timeout: CONTENT_MS });
  return () => {
    cancelIdleCallback(handle);
    clearTimeout(timer);
  };
}
