import { useAuth } from '../../../lib/auth.tsx';
import { offlineNotice } from '../../../lib/offline-notice.ts';
import { classes } from '../../../ui/classes.ts';
import { Popover } from '../../../ui/overlay/popover.tsx';
import { usageLine } from './limits.ts';

/** Below the composer: a free account's usage, and the model if it is not a real one. */
export function RunFooter() {
  const { me } = useAuth();
  if (!me) return null;
  const usage = usageLine(me);
  const offline = me.modelProvider.kind === 'offline';
  if (usage === null && !offline) return null;
  return (
    <footer className="mx-auto flex w-full max-w-3xl items-center justify-between gap-3 px-4 pb-2 text-muted text-xs sm:px-6">
      <div className="flex min-w-0 flex-col gap-0.5">
        {usage !== null && <p>{usage}</p>}
        {offline && <p className="hidden text-pretty sm:block">{offlineNotice(me)}</p>}
      </div>
      <ModelBadge className="inline-flex sm:hidden" />
    </footer>
  );
}

/** Says that the built-in offline model answers and, on a press, how to connect a real one. Nothing with a provider. */
export function ModelBadge({ className }: { className?: string }) {
  const { me } = useAuth();
  if (me?.modelProvider.kind !== 'offline') return null;
  return (
    <Popover
      label="About the model"
      trigger={
        <button
          type="button"
          className={classes(
            'min-h-8 shrink-0 items-center rounded border px-2.5 text-muted text-sm hover:bg-sunken hover:text-ink touch:min-h-11',
            className ?? 'inline-flex',
          )}
        >
          Offline model
        </button>
      }
    >
      <p className="max-w-prose">{offlineNotice(me)}</p>
    </Popover>
  );
}
