import { useAuth } from '../../../lib/auth.tsx';
import { offlineNotice } from '../../../lib/offline-notice.ts';
import { usageLine } from './limits.ts';
import { ModelBadge } from './model-notice.tsx';

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
