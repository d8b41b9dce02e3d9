import { type ComponentType, lazy } from 'react';

/** Milliseconds between two checks whether the server answers again. */
const LOOK_AGAIN_MS = 3000;

const answers = () =>
  fetch('/healthz', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/**
 * A component whose code is loaded when it is first shown. While the server can't be reached it waits instead of failing, so nobody loses
 * the page because a part is missing. Throws like React's `lazy` when the server answers without such a part.
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
