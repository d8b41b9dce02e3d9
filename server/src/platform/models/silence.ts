import { inSeconds } from '../language/in-seconds.ts';
import { ProviderError } from './provider-error.ts';

export interface Watch {
  /** Aborts when the caller aborts, when nothing came for too long, or at `stop`. */
  readonly signal: AbortSignal;
  /** Records a sign of life. */
  touch(): void;
  /** Pauses the time-out until the returned function is called: a tool is working, not the provider. */
  hold(): () => void;
  /** Ends the watch and everything that still runs under its signal. */
  stop(): void;
}

/** Watches one call to a provider: `timeoutMs` without a sign of life abort it with a ProviderError. */
export function watchSilence(caller: AbortSignal, timeoutMs: number): Watch {
  const controller = new AbortController();
  const signal = AbortSignal.any([caller, controller.signal]);
  const seconds = timeoutMs >= 1_000 ? Math.round(timeoutMs / 1_000) : timeoutMs / 1_000;
  const silent = () => controller.abort(new ProviderError(`The provider sent nothing for ${inSeconds(seconds)}.`));
  let timer = setTimeout(silent, timeoutMs);
  let pauses = 0;
  const touch = () => {
    clearTimeout(timer);
    if (pauses === 0 && !signal.aborted) timer = setTimeout(silent, timeoutMs);
  };
  return {
    signal,
    touch,
    hold: () => {
      pauses += 1;
      clearTimeout(timer);
      return () => {
        pauses -= 1;
        touch();
      };
    },
    stop: () => {
      clearTimeout(timer);
      controller.abort(new DOMException('The call has ended.', 'AbortError'));
    },
  };
}
