import type { Share } from '@atelier/contract/sharing/shares';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import type { Shareable } from '../../lib/share-open.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { ShareRows } from './share-rows.tsx';
import { shareAddress, useCreateShare, useShares } from './shares.api.ts';

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
      {last && (
        <div className="flex flex-col gap-6">
          <NewLink key={`${last.sessionId} ${last.taskId}`} shared={last} />
          <LinksOfSession sessionId={last.sessionId} />
        </div>
      )}
    </Dialog>
  );
}

function NewLink({ shared }: { shared: Shareable }) {
  const isAnswer = shared.taskId !== undefined;
  const create = useCreateShare(shared);
  const [withReceipts, setWithReceipts] = useState(false);
  const [follows, setFollows] = useState(false);
  if (create.data) return <MadeLink share={create.data} onMore={() => create.reset()} />;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!create.isPending) create.mutate({ withReceipts, follows });
      }}
    >
      <p>
        {isAnswer
          ? 'The link shows your question and this answer'
          : 'The link shows the session’s name and its messages'}
        , the agent’s name and the times. Your name, your files and your agent’s prompt are not added; what the messages
        say of them is shown.
      </p>
      <Checkbox
        label="Show what the answers used"
        hint="The memories and tool calls behind them. They may be private: check them first."
        checked={withReceipts}
        onChange={(event) => setWithReceipts(event.target.checked)}
      />
      {!isAnswer && (
        <Checkbox
          label="Show later messages too"
          hint="Otherwise the link stays as the session is now."
          checked={follows}
          onChange={(event) => setFollows(event.target.checked)}
        />
      )}
      {create.isError && (
        <p role="alert" className="text-danger text-sm">
          {errorText(create.error)}
        </p>
      )}
      <Button type="submit" variant="primary" className="self-start" loading={create.isPending}>
        Create link
      </Button>
    </form>
  );
}

/** The new link, ready to be copied. */
function MadeLink({ share, onMore }: { share: Share; onMore: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const address = shareAddress(share);
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="flex w-full items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field label="Your link">
            {(props) => <TextInput {...props} ref={field} readOnly value={address} className="font-mono text-sm" />}
          </Field>
        </div>
        <CopyButton text={address} label="Copy the new link" />
      </div>
      <Button size="sm" variant="ghost" className="-ml-3" onClick={onMore}>
        Create another
      </Button>
    </div>
  );
}

function LinksOfSession({ sessionId }: { sessionId: string }) {
  const shares = useShares(sessionId);
  if (shares.isError && !shares.data) {
    return <Failure text={errorText(shares.error)} onRetry={() => void shares.refetch()} />;
  }
  if (shares.data?.length === 0) return null;
  return (
    <section aria-labelledby="session-links" className="border-t pt-4">
      <h3 id="session-links" className="mb-1 font-semibold text-sm">
        Links to this session
      </h3>
      {shares.data ? <ShareRows shares={shares.data} /> : <Skeleton className="h-16" />}
    </section>
  );
}
