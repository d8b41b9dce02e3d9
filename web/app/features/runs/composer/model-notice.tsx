import { useAuth } from '../../../lib/auth.tsx';
import { offlineNotice } from '../../../lib/offline-notice.ts';
import { classes } from '../../../ui/classes.ts';
import { Popover } from '../../../ui/overlay/popover.tsx';

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
