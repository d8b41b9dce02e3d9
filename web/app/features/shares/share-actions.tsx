import { type Share, sharedPath } from '@atelier/contract/sharing/shares';
import { useState } from 'react';
import { toastError } from '../../lib/toast-error.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { AlertDialog } from '../../ui/overlay/alert-dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { ShareOptions } from './share-options.tsx';
import { shareAddress, useRevokeShare, useUpdateShare } from './shares.api.ts';

/** What can be done with a link. */
export function ShareActions({ share }: { share: Share }) {
  const [asking, setAsking] = useState(false);
  const revoke = useRevokeShare();
  const update = useUpdateShare();
  // Awaited here and not in a callback of the hook: the row may be gone before the answer.
  const end = () => revoke.mutateAsync(share.id).then(() => toast.success('The link no longer works.'), toastError);
  const renew = () =>
    update
      .mutateAsync({ id: share.id, renew: true })
      .then(() => toast.success('The link now shows the session as it is.'), toastError);
  return (
    <div className="flex flex-wrap items-center gap-1">
      <CopyButton text={shareAddress(share)} label="Copy link" />
      <a
        href={sharedPath(share.token)}
        target="_blank"
        rel="noopener noreferrer"
        className={buttonClass('ghost', 'sm')}
      >
        Open<span className="sr-only"> the link in a new tab</span>
      </a>
      {share.taskId === null && !share.follows && (
        <Button size="sm" variant="ghost" loading={update.isPending} onClick={renew}>
          Renew
        </Button>
      )}
      <ShareOptions share={share} />
      <Button
        size="sm"
        variant="ghost"
        className="text-danger"
        loading={revoke.isPending}
        onClick={() => setAsking(true)}
      >
        End link
      </Button>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title="End this link?"
        body="The link stops working for everyone. You can create another, with a new address."
        confirmLabel="End link"
        danger
        onConfirm={() => void end()}
      />
    </div>
  );
}
