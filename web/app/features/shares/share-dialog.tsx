import type { Share } from '@atelier/contract/shares';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import type { Shareable } from '../../lib/share-open.ts';
import { ErrorLine } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
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
      <LoadFailure of={shares} />
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
      {create.isError && <ErrorLine className="text-sm">{errorText(create.error)}</ErrorLine>}
      <Button type="submit" variant="primary" className="self-start" loading={create.isPending}>
        Create link
      </Button>
    </form>
  );
}

function MadeLink({ share, onMore }: { share: Share; onMore: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const address = shareAddress(share);
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="flex w-full items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField label="Your link" ref={field} readOnly value={address} className="font-mono text-sm" />
        </div>
        <CopyButton text={address} label="Copy the new link" />
      </div>
      <Button size="sm" variant="ghost" className="-ml-3" onClick={onMore}>
        Create another
      </Button>
    </div>
  );
}
