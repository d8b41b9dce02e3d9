import { type MouseEvent, useEffect, useSyncExternalStore } from 'react';
import { type NavigateFunction, useNavigate } from 'react-router';
import { Toaster as SonnerToaster, toast as sonner } from 'sonner';
import { CircleAlert, CircleCheck, TriangleAlert, X } from '../icons/lucide.ts';

export interface Shower {
  sonner: typeof sonner;
  navigate: NavigateFunction;
}

const icon = 'size-5 shrink-0';

const NARROW = '(max-width: 639px)';

function subscribeNarrow(onChange: () => void) {
  const query = matchMedia(NARROW);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** A pressed button would take the focus, and lose it with its toast. This way whoever is typing can go on. */
const keepFocus = (event: MouseEvent) => {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault();
};

/** Shows toasts; loaded separately from the page. `onReady` is called once it listens. */
export default function ToastStack({ duration, onReady }: { duration: number; onReady: (shower: Shower) => void }) {
  // At the bottom it would cover the composer and the buttons of a dialog; a wide window has room below the header.
  const narrow = useSyncExternalStore(
    subscribeNarrow,
    () => matchMedia(NARROW).matches,
    () => false,
  );
  // After the toaster's own effect, which starts listening.
  const navigate = useNavigate();
  useEffect(() => onReady({ sonner, navigate }), [onReady, navigate]);
  return (
    <div role="presentation" onMouseDown={keepFocus}>
      <SonnerToaster
        position={narrow ? 'top-center' : 'top-right'}
        offset={{ top: 64 }}
        duration={duration}
        closeButton
        icons={{
          success: <CircleCheck className={`${icon} text-success`} />,
          error: <CircleAlert className={`${icon} text-danger`} />,
          warning: <TriangleAlert className={`${icon} text-warning`} />,
          close: <X className="size-4" />,
        }}
        toastOptions={{
          unstyled: true,
          classNames: {
            // On a narrow screen it lies over the page's top: what is below it can be pressed, and a resting mouse doesn't keep it.
            toast:
              'pointer-events-none flex w-full flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border border-line bg-raised py-3 pr-2 pl-4 font-sans text-base text-ink shadow-raised sm:pointer-events-auto sm:w-90 [&_button]:pointer-events-auto',
            // All the room beside the icon and the cross, so that a button wraps below.
            content: 'order-1 min-w-0 flex-1 basis-[calc(100%-6rem)] py-0.5 leading-6',
            icon: 'mt-1',
            title: 'font-normal',
            actionButton:
              'order-3 ml-8 min-h-8 rounded border border-edge px-3 font-semibold text-sm hover:bg-sunken touch:min-h-11',
            closeButton:
              'order-2 inline-flex size-8 shrink-0 items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink touch:size-11',
          },
        }}
      />
    </div>
  );
}
