export type Watch = ReturnType<typeof watchSilence>;

/** Watches work on another side: `timeoutMs` without a sign of life abort it, with the reason that `silent` makes. */
export function watchSilence(caller: AbortSignal, timeoutMs: number, silent: () => Error) {
  const controller = new AbortController();
  const signal = AbortSignal.any([caller, controller.signal]);
  const end = () => controller.abort(silent());
  let timer = setTimeout(end, timeoutMs);
  let pauses = 0;
  /** Records a sign of life. */
  const touch = (): void => {
    clearTimeout(timer);
    if (pauses === 0 && !signal.aborted) timer = setTimeout(end, timeoutMs);
  };
  return {
    /** Whether the other side has something that it has not refused; who sends it notes it here. */
    isAsked: false,
    /** Aborts when the caller aborts, when nothing came for too long, or at `stop`. */
    signal,
    touch,
    /** Pauses the time-out until the returned function is called: somebody else is at work. */
    hold: (): (() => void) => {
      pauses += 1;
      clearTimeout(timer);
      return () => {
        pauses -= 1;
        touch();
      };
    },
    /** Ends the watch and everything that still runs under its signal. */
    stop: (): void => {
      clearTimeout(timer);
      controller.abort(new DOMException('The call has ended.', 'AbortError'));
    },
  };
}
