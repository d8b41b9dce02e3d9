import { type Share, type ShareUpdate, sharedPath } from '@atelier/contract/shares';
import { Link } from 'react-router';
import { exchangePath } from '../../lib/addresses.ts';
import { toastError } from '../../lib/toast-error.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useFocusPassedOn } from '../../ui/focus/use-focus.ts';
import { dayOf } from '../../ui/formats.ts';
import { DangerButton } from '../../ui/overlay/danger-button.tsx';
import { Menu } from '../../ui/overlay/menu.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { shareAddress, useRevokeShare, useUpdateShare } from './shares.api.ts';

export interface ShareRowsProps {
  shares: readonly Share[];
  /** Names each link's session, in a list of several. */
  withSession?: boolean;
}

/** Links, each with what can be done about it. */
export function ShareRows({ shares, withSession = false }: ShareRowsProps) {
  return (
    <ul aria-label="Shared links" className="flex flex-col divide-y">
      {shares.map((share) => (
        <ShareRow key={share.id} share={share} withSession={withSession} />
      ))}
    </ul>
  );
}

function ShareRow({ share, withSession }: { share: Share; withSession: boolean }) {
  const row = useFocusPassedOn<HTMLLIElement>('after');
  const place = exchangePath(share.sessionId, share.taskId ?? undefined);
  return (
    <li ref={row} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-full sm:basis-48">
        {withSession && (
          <p className="font-semibold [overflow-wrap:anywhere]">
            <Link to={place} className="underline underline-offset-4">
              {share.sessionName}
            </Link>
          </p>
        )}
        <p className={withSession ? 'text-muted' : ''}>{describeShare(share)}</p>
        <p className="text-muted">
          Created <time dateTime={share.createdAt}>{dayOf(share.createdAt)}</time>
          {share.takenAt > share.createdAt && `, renewed ${dayOf(share.takenAt)}`}
        </p>
      </div>
      <ShareActions share={share} />
    </li>
  );
}

function ShareActions({ share }: { share: Share }) {
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

/** What the link shows, to be changed at once; its address stays. */
function ShareOptions({ share }: { share: Share }) {
  const update = useUpdateShare();
  const { id, withReceipts, follows, taskId } = share;
  const change = (changes: ShareUpdate, confirmation: string) =>
    void update.mutateAsync({ id, ...changes }).then(() => toast.success(confirmation), toastError);
  const receipts = {
    id: 'receipts',
    label: 'Show what the answers used',
    checked: withReceipts,
    run: () => change({ withReceipts: !withReceipts }, RECEIPTS[withReceipts ? 'off' : 'on']),
  };
  const later = {
    id: 'follows',
    label: 'Show later messages too',
    checked: follows,
    run: () => change({ follows: !follows }, FOLLOWS[follows ? 'off' : 'on']),
  };
  return (
    <Menu
      trigger={
        <Button size="sm" variant="ghost" loading={update.isPending}>
          Options<span className="sr-only"> of the link</span>
        </Button>
      }
      groups={[{ label: 'The link shows', items: taskId === null ? [receipts, later] : [receipts] }]}
    />
  );
}

const RECEIPTS = {
  on: 'The link now shows what the answers used. Look at it first: that may be private.',
  off: 'The link no longer shows what the answers used.',
};
const FOLLOWS = {
  on: 'The link now shows later messages too.',
  off: 'The link stays as the session is now.',
};

/** What a link shows, in a few words: `The session, 3 messages so far · with what the answers used`. */
export function describeShare({ taskId, follows, exchanges, withReceipts }: Share): string {
  const receipts = withReceipts ? ' · with what the answers used' : '';
  if (taskId !== null) return `One answer${receipts}`;
  if (follows) return `The session, later messages too${receipts}`;
  return `The session, ${exchanges === 1 ? 'one exchange' : `${exchanges} exchanges`}${receipts}`;
}
