import { Suspense, useSyncExternalStore } from 'react';
import { part } from '../part.tsx';
import { createListeners } from '../shared-value.ts';
import { whenIdle } from '../when-idle.ts';
import type { Sonner } from './toast-stack.tsx';

/** How long a toast stays, in milliseconds. */
export const TOAST_MS = 5000;

type Tone = 'success' | 'error' | 'warning';

// The toast code is loaded when the page is idle, or for the first toast.
const ToastStack = part(() => import('./toast-stack.tsx'));
const ready = Promise.withResolvers<Sonner>();
const listeners = createListeners();
let wanted = false;
let lastId = 0;

function want(): void {
  if (wanted) return;
  wanted = true;
  listeners.tell();
}

const show =
  (tone: Tone) =>
  (message: string, options: { action?: { label: string; onClick: () => void } } = {}) => {
    lastId += 1;
    const id = lastId;
    want();
    void ready.promise.then((sonner) => sonner[tone](message, { id, duration: TOAST_MS, ...options }));
    return id;
  };

/** Shows a short message. Returns the toast's id for `toast.dismiss`. */
export const toast = {
  success: show('success'),
  error: show('error'),
  warning: show('warning'),
  dismiss: (id?: number) => void ready.promise.then((sonner) => sonner.dismiss(id)),
};

function subscribe(listener: () => void) {
  const stop = listeners.subscribe(listener);
  const forget = whenIdle(want);
  return () => {
    stop();
    forget();
  };
}

/** Where toasts appear; used once, in the root. */
export function Toaster() {
  const here = useSyncExternalStore(
    subscribe,
    () => wanted,
    () => false,
  );
  if (!here) return null;
  return (
    <Suspense fallback={null}>
      <ToastStack duration={TOAST_MS} onReady={ready.resolve} />
    </Suspense>
  );
}
