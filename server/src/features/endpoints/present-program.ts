import { SENTENCES } from '@atelier/contract/errors';
import type { Context } from 'hono';
import type { AppEnv } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { watchCaller } from '../accounts/auth/watch-caller.service.ts';

/** Whether the program that asked still waits, and still may. */
export interface Presence {
  /** Aborts when it leaves or its key ends. */
  signal: AbortSignal;
  left: () => void;
  /** Stops watching. */
  end: () => void;
}

/** Watches the connection of a request and the key or sign-in behind it. */
export function watchProgram(deps: Deps, c: Context<AppEnv>): Presence {
  const controller = new AbortController();
  const left = () => controller.abort(new AppError('unavailable', 'The request ended before the answer did.'));
  const { signal } = c.req.raw;
  if (signal.aborted) left();
  signal.addEventListener('abort', left);
  const stopWatching = watchCaller(deps, c, () => controller.abort(new AppError('signed_out', SENTENCES.keyNeeded)));
  const end = () => {
    signal.removeEventListener('abort', left);
    stopWatching();
  };
  return { signal: controller.signal, left, end };
}
