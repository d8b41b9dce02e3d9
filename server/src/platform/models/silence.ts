import { inSeconds } from '../language/in-seconds.ts';
import { type Watch, watchSilence } from '../silence.ts';
import { ProviderError } from './provider-error.ts';

/** Watches one call to a provider: `timeoutMs` without a sign of life abort it with a ProviderError. */
export function watchProvider(caller: AbortSignal, timeoutMs: number): Watch {
  const seconds = timeoutMs >= 1_000 ? Math.round(timeoutMs / 1_000) : timeoutMs / 1_000;
  return watchSilence(
    caller,
    timeoutMs,
    () => new ProviderError(`The provider sent nothing for ${inSeconds(seconds)}.`),
  );
}
