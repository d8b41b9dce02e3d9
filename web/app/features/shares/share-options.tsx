import type { Share, ShareUpdate } from '@atelier/contract/shares';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlay/menu.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useUpdateShare } from './shares.api.ts';

/** What the link shows, to be changed at once; its address stays. */
export function ShareOptions({ share }: { share: Share }) {
  const update = useUpdateShare();
  const { id, withReceipts, follows, taskId } = share;
  const change = (changes: ShareUpdate, said: string) =>
    void update.mutateAsync({ id, ...changes }).then(() => toast.success(said), toastError);
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
