import { type ComponentType, lazy, useEffect, useState } from 'react';
import { createShared } from './shared-value.ts';

/** Milliseconds between two checks whether the server answers again. */
const LOOK_AGAIN_MS = 3000;

const answers = () =>
  fetch('/healthz', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );

/** How many parts that somebody pressed for wait until the server answers. */
export const partsAwaited = createShared(0);

async function untilAnswered() {
  if (await answers()) return;
  partsAwaited.set(partsAwaited.read() + 1);
  do await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
  while (!(await answers()));
  partsAwaited.set(partsAwaited.read() - 1);
}

/** Browsers don't fetch a module again that they once couldn't, unless it has another address; Chromium and Firefox name it in the error. */
function addressAnew(error: unknown): string | undefined {
  const address = String(error).split(' ').at(-1) ?? '';
  return URL.canParse(address) ? `${address}?${Date.now()}` : undefined;
}

/**
 * A component whose code is loaded when it is first shown, or by `load` before, which fails when the server can't be reached. What is shown
 * waits instead, so nobody loses the page because a part is missing; it throws like React's `lazy` when the server answers without it.
 */
export function part<P extends object>(fetchPart: () => Promise<{ default: ComponentType<P> }>) {
  let loaded: ComponentType<P> | undefined;
  async function load(fetchModule = fetchPart) {
    const module = await fetchModule();
    loaded = module.default;
    return module;
  }
  const loadPatiently = () =>
    load().catch(async (error) => {
      await untilAnswered();
      const address = addressAnew(error);
      return address === undefined ? load() : load(() => import(/* @vite-ignore */ address));
    });
  const Lazy = lazy(loadPatiently);
  function Part(props: P) {
    // What is loaded is shown at once: React shows what it had to wait for 300 ms later than it could. Chosen once, to keep its state.
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? (Lazy as ComponentType<P>));
    return <Shown {...props} />;
  }
  return Object.assign(Part, { load, loadPatiently, isLoaded: () => loaded !== undefined });
}

/**
 * Whether a part that is wanted can be shown at once, or fails. Until then what stands in its place can stay, with the focus: the fallback of
 * a `Suspense` would be another element, and React keeps it for 300 ms.
 */
export function useReady(
  part: { loadPatiently: () => Promise<unknown>; isLoaded: () => boolean },
  isWanted: boolean,
): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const ready = () => setReady(true);
    if (isWanted) part.loadPatiently().then(ready, ready);
  }, [part, isWanted]);
  return isWanted && (isReady || part.isLoaded());
}
