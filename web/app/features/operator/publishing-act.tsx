import { ActDialog } from './act-dialog.tsx';

type Act = 'block-publishing' | 'unblock-publishing';

interface PublishingActProps {
  isBlocked: boolean;
  does: (act: Act, done: string) => (input: { reason: string }) => Promise<void>;
}

/** Blocks an author’s publishing, or allows it again. */
export const PublishingAct = ({ isBlocked, does }: PublishingActProps) =>
  isBlocked ? (
    <ActDialog
      label="Allow publishing"
      title="Allow publishing again?"
      needsReason={false}
      act={does('unblock-publishing', 'The author can publish again.')}
    >
      <p>They can publish agents, and change those that are public.</p>
    </ActDialog>
  ) : (
    <ActDialog
      label="Block publishing"
      title="Block this author’s publishing?"
      isDanger
      act={does('block-publishing', 'The author publishes nothing from now on.')}
    >
      <p>
        They can publish nothing, and can’t change what is public. What is public stays so until you unpublish it. They
        read the reason when they try.
      </p>
    </ActDialog>
  );
