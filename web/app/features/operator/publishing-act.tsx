import { ActDialog } from './act-dialog.tsx';
import { useActOnPerson } from './admin.api.ts';

/** Blocks an author’s publishing, or allows it again. */
export function PublishingAct({ isBlocked, accountId }: { isBlocked: boolean; accountId: string }) {
  const does = useActOnPerson(accountId);
  return isBlocked ? (
    <ActDialog
      label="Allow publishing"
      title="Allow publishing again?"
      needsReason={false}
      act={does('unblock-publishing')}
      done="The author can publish again."
    >
      <p>They can publish agents, and change those that are public.</p>
    </ActDialog>
  ) : (
    <ActDialog
      label="Block publishing"
      title="Block this author’s publishing?"
      isDanger
      act={does('block-publishing')}
      done="The author publishes nothing from now on."
    >
      <p>
        They can publish nothing, and can’t change what is public. What is public stays so until you unpublish it. They
        read the reason when they try.
      </p>
    </ActDialog>
  );
}
