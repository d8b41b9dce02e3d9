import { useState } from 'react';
import { errorText } from '../../lib/http.ts';
import type { Shareable } from '../../lib/share-open.ts';
import { Failure } from '../../ui/failure.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { NewLink } from './new-link.tsx';
import { ShareRows } from './share-rows.tsx';
import { useShares } from './shares.api.ts';

export interface ShareDialogProps {
  open: boolean;
  /** What to share; null while closed. */
  shared: Shareable | null;
  onClose: () => void;
}

/** Creates links to a session or one of its answers, and shows those that there are. */
export default function ShareDialog({ open, shared, onClose }: ShareDialogProps) {
  // Kept while it closes, so that it doesn't change before one's eyes.
  const [last, setLast] = useState(shared);
  if (shared !== null && shared !== last) setLast(shared);
  const isAnswer = last?.taskId !== undefined;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={isAnswer ? 'Share this answer' : 'Share this session'}
      description="Anyone with the link can read it, without signing in."
    >
      {last && <Links key={`${last.sessionId} ${last.taskId}`} shared={last} />}
    </Dialog>
  );
}

/** A new link and those that there are. They come together: a list that came later would move the button below somebody's finger. */
function Links({ shared }: { shared: Shareable }) {
  const shares = useShares(shared.sessionId);
  if (shares.isPending) return <Skeleton className="h-72" />;
  return (
    <div className="flex flex-col gap-6">
      <NewLink shared={shared} />
      {shares.isLoadingError && <Failure text={errorText(shares.error)} onRetry={() => void shares.refetch()} />}
      {shares.data !== undefined && shares.data.length > 0 && (
        <section aria-labelledby="session-links" className="border-t pt-4">
          <h3 id="session-links" className="mb-1 font-semibold text-sm">
            Links to this session
          </h3>
          <ShareRows shares={shares.data} />
        </section>
      )}
    </div>
  );
}
