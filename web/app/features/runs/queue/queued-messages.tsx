import type { QueuedMessage } from '@atelier/contract/runs';
import { errorText } from '../../../lib/http.ts';
import { toastError } from '../../../lib/toast-error.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useFocusPassedOn } from '../../../ui/focus/use-focus-passed-on.ts';
import { usePen } from '../../../ui/list/use-pen.ts';
import { toast } from '../../../ui/overlay/toast.tsx';
import { useRemoveQueued, useRestoreQueued, useSendQueue } from './queue.api.ts';
import { QueuedMessageRow, queuedLeftOpen } from './queued-message-row.tsx';

export interface QueuedMessagesProps {
  sessionId: string;
  queue: readonly QueuedMessage[];
}

/** The messages that wait for the running answer to end, in order. A paused queue asks what to do. */
export default function QueuedMessages({ sessionId, queue }: QueuedMessagesProps) {
  const { shown, editingId, edit } = usePen(queue, queuedLeftOpen);
  const remove = useRemoving(sessionId);
  const paused = queue.find(({ state }) => state === 'paused');
  if (shown.length === 0) return null;
  return (
    <section aria-label="Waiting messages" className="flex flex-col gap-2 py-4">
      <h2 className="font-semibold text-muted text-sm">
        {shown.length === 1 ? 'Waiting: 1 message' : `Waiting: ${shown.length} messages`}
      </h2>
      {paused && (
        <Paused sessionId={sessionId} reason={paused.reason} onRemove={() => remove(queue.map((one) => one.id))} />
      )}
      <ol className="flex flex-col divide-y rounded-lg border border-edge border-dashed">
        {shown.map((message, i) => (
          <QueuedMessageRow
            key={message.id}
            message={message}
            place={i + 1}
            editing={editingId === message.id}
            onEdit={edit}
            onRemove={() => remove([message.id])}
          />
        ))}
      </ol>
    </section>
  );
}

function Paused(props: { sessionId: string; reason: string | undefined; onRemove: () => void }) {
  const { sessionId, reason, onRemove } = props;
  const send = useSendQueue(sessionId);
  const own = useFocusPassedOn<HTMLDivElement>('after');
  return (
    <Banner ref={own} tone="warning">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-60">{send.isError ? errorText(send.error) : reason}</p>
        <div className="flex gap-2">
          <Button size="sm" loading={send.isPending} onClick={() => send.mutate()}>
            Send now
          </Button>
          <Button size="sm" variant="ghost" onClick={onRemove}>
            Remove all
          </Button>
        </div>
      </div>
    </Banner>
  );
}

/** Removes messages at once, and offers to undo it. */
function useRemoving(sessionId: string) {
  const remove = useRemoveQueued(sessionId);
  const restore = useRestoreQueued(sessionId);
  return (ids: readonly string[]) => {
    remove.mutateAsync(ids).then(() => {
      const undo = () => void restore.mutateAsync(ids).catch(toastError);
      toast.success(ids.length === 1 ? 'Message removed.' : 'Messages removed.', {
        action: { label: 'Undo', onClick: undo },
      });
    }, toastError);
  };
}
