import { type ComponentType, lazy } from 'react';

/** Milliseconds between two looks whether the server answers again. */
const LOOK_AGAIN_MS = 3000;

const answers = () =>
  fetch('/healthz', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/**
 * A component whose code is fetched when it is first shown. Where the server can't be reached it waits for it rather than fail: nobody
 * loses the page they have for a part that is missing. Throws, as React's `lazy` does, where the server answers and has no such part.
 */
export function part<P extends object>(fetchPart: () => Promise<{ default: ComponentType<P> }>) {
  return lazy(async () => {
    try {
      return await fetchPart();
    } catch {
      while (!(await answers())) await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
      return fetchPart();
    }
  });
}
