import type { Task } from '@atelier/contract/runs';
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../../lib/http.ts';
import { freshId } from '../../../lib/typed/fresh-id.ts';
import { openForm, useSavedText } from '../../../lib/typed/saved-form.ts';
import { Button } from '../../../ui/button.tsx';
import { usePen } from '../../../ui/list/use-pen.ts';
import { useUnsavedArea } from '../../../ui/overlay/unsaved.tsx';
import { AreaField } from '../../../ui/text-field.tsx';
import { isSendable, lengthNotice, sendsOn } from '../composer/composer-rules.ts';
import { versionOf } from '../task-patches.ts';
import { useEditMessage } from './branches.api.ts';

const BUSY = 'This session is still answering. Wait for the answer or stop it first.';
export const AGENT_GONE = 'The agent of this session was deleted. You can still read the session, but not continue it.';

const formOf = (sessionId: string) => `message:${sessionId}:`;

const NONE: readonly Task[] = [];

/**
 * Which message of a session is being edited; at first the one that was when the sign-in ended. Where another version takes its place, here
 * or in another tab, that one is edited: what is typed stays.
 */
export function useMessagePen(sessionId: string, tasks = NONE) {
  const { editingId: id, edit, area } = usePen(tasks, () => openForm(formOf(sessionId)));
  const editingId = id === undefined ? undefined : versionOf(tasks, id)?.id;
  const editLast = () => {
    const last = tasks.at(-1)?.id;
    if (last !== undefined && last !== editingId) edit(last);
  };
  return { editingId, edit, area, editLast };
}

/** The server answers the same words to the same version once, however often they are sent. */
const newAttempt = (taskId: string) => ({ taskId, key: freshId() });

export interface MessageEditProps {
  task: Task;
  /** False while another answer is written, or when the agent is gone. */
  maySend: boolean;
  agentDeleted: boolean;
  onClose: () => void;
}

/** Edits a sent message in its place. What was there stays, as another version; words that the server refuses stay in the field. */
export function MessageEdit({ task, maySend, agentDeleted, onClose }: MessageEditProps) {
  const [typed, setTyped] = useSavedText(formOf(task.sessionId) + task.id, task.inputText);
  const [attempt, setAttempt] = useState(() => newAttempt(task.id));
  const edit = useEditMessage(task.sessionId);
  const { leave } = useUnsavedArea(typed !== task.inputText && !edit.isSuccess);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  const length = lengthNotice(typed);
  const send = () => {
    if (edit.isPending || !maySend || !isSendable(typed)) return;
    // `mutateAsync`, because a notice may take this field away before the answer comes.
    edit.mutateAsync({ ...attempt, inputText: typed }).then(onClose, () => {});
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (sendsOn(event)) {
      event.preventDefault();
      send();
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    leave(onClose);
  };
  const error = edit.isError ? errorText(edit.error) : length?.over ? `The message is too long: ${length.text}.` : null;
  return (
    <form onSubmit={onSubmit} className="flex w-full flex-col gap-2 py-1">
      <AreaField
        label="Edit message"
        error={error}
        ref={field}
        rows={2}
        enterKeyHint="send"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAttempt(newAttempt(task.id));
        }}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" type="submit" loading={edit.isPending} disabled={!maySend || !isSendable(typed)}>
          Save & send
        </Button>
        <Button size="sm" variant="ghost" onClick={() => leave(onClose)}>
          Cancel
        </Button>
        {maySend ? (
          <p className="text-muted text-xs touch:hidden">Enter sends, Shift+Enter starts a new line.</p>
        ) : (
          <p className="text-muted text-sm">{agentDeleted ? AGENT_GONE : BUSY}</p>
        )}
      </div>
    </form>
  );
}
