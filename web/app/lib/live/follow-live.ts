import { afterContent } from '../../ui/when-idle.ts';

/** How long after a failure to load the live code again, in milliseconds. */
const LIVE_AGAIN_MS = 2000;

/** Follows changes for `uid`. Pages for visitors need none of this, so the code is loaded at the first sign-in, after the content. */
export function followLive(uid: string): () => void {
  let stop: (() => void) | undefined;
  let wanted = true;
  const begin = () => {
    import('./live.ts').then(
      ({ startLive }) => {
        if (wanted) stop = startLive(uid);
      },
      () => {
        if (wanted) setTimeout(begin, LIVE_AGAIN_MS);
      },
    );
  };
  const forget = afterContent(begin);
  return () => {
    wanted = false;
    forget();
    stop?.();
  };
}
