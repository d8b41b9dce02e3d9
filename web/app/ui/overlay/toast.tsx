import { Suspense, useEffect } from 'react';
import { part } from '../part.tsx';
import { createShared } from '../shared-value.ts';
import { whenIdle } from '../when-idle.ts';
import type { Shower } from './toast-stack.tsx';

/** How long a toast stays, in milliseconds. */
export const TOAST_MS = 5000;

type Tone = 'success' | 'error' | 'warning';

interface Options {
  /** What it offers to do. */
  undo?: (() => unknown) | undefined;
  /** A place of ours that it leads to. */
  link?: { label: string; to: string };
  /** Called when its time is over, or somebody closed it. */
  onEnd?: () => void;
}

// The toast code is loaded when the page is idle, or for the first toast.
const ToastStack = part(() => import('./toast-stack.tsx'));
const ready = Promise.withResolvers<Shower>();
const wanted = createShared(false);
const want = () => wanted.set(true);
let lastId = 0;

const show =
  (tone: Tone) =>
  (message: string, { undo, link, onEnd = () => {} }: Options = {}) => {
    lastId += 1;
    const id = lastId;
    want();
    void ready.promise.then(({ sonner, navigate }) =>
      sonner[tone](message, {
        id,
        duration: TOAST_MS,
        onDismiss: onEnd,
        onAutoClose: onEnd,
        ...(link && { action: { label: link.label, onClick: () => void navigate(link.to) } }),
        ...(undo && { action: { label: 'Undo', onClick: () => void undo() } }),
      }),
    );
    return id;
  };

/** Shows a short message. Returns the toast's id for `toast.dismiss`. */
export const toast = {
  success: show('success'),
  error: show('error'),
  warning: show('warning'),
  dismiss: (id?: number) => void ready.promise.then(({ sonner }) => sonner.dismiss(id)),
};

/** Where toasts appear; used once, in the root. */
export function Toaster() {
  const here = wanted.useValue();
  useEffect(() => whenIdle(want), []);
  if (!here) return null;
  return (
    <Suspense fallback={null}>
      <ToastStack duration={TOAST_MS} onReady={ready.resolve} />
    </Suspense>
  );
}
