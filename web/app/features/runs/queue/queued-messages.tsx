import type { Attachment } from '@atelier/contract/attachments/attachments';
import { MESSAGE_MAX, type QueuedMessage } from '@atelier/contract/runs';
import { errorText } from '../../../lib/http.ts';
import { toastError } from '../../../lib/toast-error.ts';
import { openForm } from '../../../lib/typed/saved-form.ts';
import { TextEdit } from '../../../lib/typed/text-edit.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useFocusPassedOn, useFocusWhenClosed } from '../../../ui/focus/use-focus.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Paperclip, Pencil, X } from '../../../ui/icons/lucide.ts';
import { usePen } from '../../../ui/list/use-pen.ts';
import { toast } from '../../../ui/overlay/toast.tsx';
import { InUnsavedArea } from '../../../ui/overlay/unsaved.tsx';
import { useEditQueued, useRemoveQueued, useRestoreQueued, useSendQueue } from './queue.api.ts';

const FORM = 'queued:';

/** The waiting message that was being edited when the sign-in ended. */
const queuedLeftOpen = () => openForm(FORM);

/** The messages that wait for the running answer to end, in order. A paused queue asks what to do. */
export default function QueuedMessages({ sessionId, queue }: { sessionId: string; queue: readonly QueuedMessage[] }) {
  const { shown, editingId, edit, area } = usePen(queue, queuedLeftOpen);
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
        <InUnsavedArea value={area}>
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
        </InUnsavedArea>
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
    const undo = () => restore.mutateAsync(ids).catch(toastError);
    const sentence = ids.length === 1 ? 'Message removed.' : 'Messages removed.';
    remove.mutateAsync(ids).then(() => toast.success(sentence, { undo }), toastError);
  };
}

interface QueuedMessageRowProps {
  message: QueuedMessage;
  /** Its place in the queue, from 1. */
  place: number;
  editing: boolean;
  onEdit: (id: string | null) => void;
  onRemove: () => void;
}

/** One waiting message: its words, and how to change or remove it. */
function QueuedMessageRow({ message, place, editing, onEdit, onRemove }: QueuedMessageRowProps) {
  const isLeaving = message.state === 'sending';
  const { opener, closing } = useFocusWhenClosed();
  const close = () => closing(() => onEdit(null));
  const own = useFocusPassedOn<HTMLLIElement>('after');
  return (
    <li ref={own} className="flex items-start gap-2 px-3 py-1">
      {editing ? (
        <QueuedMessageEdit message={message} place={place} onClose={close} />
      ) : (
        <>
          <span aria-hidden="true" className="pt-2 font-mono text-muted text-sm">
            {place}
          </span>
          <div className="min-w-0 flex-1 py-1.5">
            <p className="wrap-anywhere line-clamp-3 whitespace-pre-wrap">{message.inputText}</p>
            {message.attachments && <AttachedNames attachments={message.attachments} />}
          </div>
          <div className="flex shrink-0">
            <IconButton
              ref={opener}
              size="sm"
              label={`Edit waiting message ${place}`}
              disabled={isLeaving}
              onClick={() => onEdit(message.id)}
              Icon={Pencil}
            />
            <IconButton
              size="sm"
              label={`Remove waiting message ${place}`}
              disabled={isLeaving}
              onClick={onRemove}
              Icon={X}
            />
          </div>
        </>
      )}
    </li>
  );
}

function QueuedMessageEdit(props: { message: QueuedMessage; place: number; onClose: () => void }) {
  const { message, place, onClose } = props;
  const edit = useEditQueued(message.sessionId);
  return (
    <TextEdit
      label={`Waiting message ${place}`}
      form={FORM + message.id}
      text={message.inputText}
      rows={2}
      maxLength={MESSAGE_MAX}
      enterSaves
      update={edit}
      onSave={(inputText) => edit.mutate({ id: message.id, inputText }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

const AttachedNames = ({ attachments }: { attachments: readonly Attachment[] }) => (
  <ul aria-label="Attached" className="mt-1 flex flex-wrap gap-x-3 text-muted text-sm">
    {attachments.map(({ id, name }) => (
      <li key={id} className="flex min-w-0 items-center gap-1.5">
        <Paperclip className="size-3.5 shrink-0" />
        <span className="min-w-0 truncate">{name}</span>
      </li>
    ))}
  </ul>
);
