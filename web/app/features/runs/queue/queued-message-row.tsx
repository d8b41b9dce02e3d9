import type { Attachment } from '@atelier/contract/attachments/attachments';
import type { QueuedMessage } from '@atelier/contract/runs';
import { MESSAGE_MAX } from '@atelier/contract/runs';
import { errorText } from '../../../lib/http.ts';
import { openForm, useKeptText } from '../../../lib/typed/kept-form.ts';
import { useFocusPassedOn } from '../../../ui/focus/use-focus-passed-on.ts';
import { useFocusWhenClosed } from '../../../ui/focus/use-focus-when-closed.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Paperclip, Pencil, X } from '../../../ui/icons/lucide.ts';
import { TextEdit } from '../../../ui/list/text-edit.tsx';
import { useEditQueued } from './queue.api.ts';

export interface QueuedMessageRowProps {
  message: QueuedMessage;
  /** Its place in the queue, from 1. */
  place: number;
  editing: boolean;
  onEdit: (id: string | null) => void;
  onRemove: () => void;
}

/** One waiting message: its words, and how to change or remove it. */
export function QueuedMessageRow({ message, place, editing, onEdit, onRemove }: QueuedMessageRowProps) {
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

const FORM = 'queued:';

/** The waiting message that was being edited when the sign-in ended. */
export const queuedLeftOpen = () => openForm(FORM);

function QueuedMessageEdit({
  message,
  place,
  onClose,
}: {
  message: QueuedMessage;
  place: number;
  onClose: () => void;
}) {
  const edit = useEditQueued(message.sessionId);
  const [typed, type] = useKeptText(FORM + message.id, message.inputText);
  return (
    <TextEdit
      label={`Waiting message ${place}`}
      text={message.inputText}
      typed={typed}
      onType={type}
      rows={2}
      maxLength={MESSAGE_MAX}
      enterSaves
      saving={edit.isPending}
      error={edit.isError ? errorText(edit.error) : null}
      onSave={(inputText) => edit.mutate({ id: message.id, inputText }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

const AttachedNames = ({ attachments }: { attachments: readonly Attachment[] }) => (
  <ul aria-label="Attached" className="mt-1 flex flex-wrap gap-x-3 text-muted text-sm">
    {attachments.map(({ id, name }) => (
      <li key={id} className="flex min-w-0 items-center gap-1.5">
        <Paperclip aria-hidden="true" className="size-3.5 shrink-0" />
        <span className="min-w-0 truncate">{name}</span>
      </li>
    ))}
  </ul>
);
