import { type Share, sharedPath } from '@atelier/contract/shares';
import { toastError } from '../../lib/toast-error.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DangerButton } from '../../ui/overlay/danger-button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { ShareOptions } from './share-options.tsx';
import { shareAddress, useRevokeShare, useUpdateShare } from './shares.api.ts';

/** What can be done with a link. */
export function ShareActions({ share }: { share: Share }) {
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
      <DangerButton
        loading={revoke.isPending}
        title="End this link?"
        body="The link stops working for everyone. You can create another, with a new address."
        confirmLabel="End link"
        onConfirm={() => void end()}
      >
        End link
      </DangerButton>
    </div>
  );
}
