import { excerpt } from '@atelier/contract/agents';
import type { ListedMemory } from '@atelier/contract/memory';
import { whySentence } from '@atelier/contract/search/why-found';
import { useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import { exchangePath } from '../../lib/addresses.ts';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusWhenClosed } from '../../ui/focus/use-focus.ts';
import { minuteOf } from '../../ui/formats.ts';
import { PinButton } from '../../ui/list/pin-button.tsx';
import { useUpdateMemory } from './memory.api.ts';
import { MemoryEdit } from './memory-edit.tsx';
import { memoryWords } from './memory-words.ts';

export interface MemoryRowProps {
  memory: ListedMemory;
  picked: boolean;
  onPick: () => void;
  onForget: () => void;
  /** The words were replaced, which created another memory. */
  onEdited: (id: string) => void;
  /** This is that other memory: it takes the focus. */
  edited: boolean;
  /** Its words are being edited. */
  editing: boolean;
  onEditing: (editing: boolean) => void;
}

/** One memory on the memory page: its words, origin and actions. */
export function MemoryRow(props: MemoryRowProps) {
  const { memory, picked, onPick, onForget, onEdited, edited, editing, onEditing } = props;
  const { opener, closing } = useFocusWhenClosed();
  const close = () => closing(() => onEditing(false));
  useEffect(() => {
    if (edited && document.activeElement === document.body) opener.current?.focus();
  }, [edited, opener]);
  const update = useUpdateMemory();
  const words = useMemo(() => memoryWords(memory), [memory]);
  const pin = () => update.mutate({ id: memory.id, pinned: !memory.pinned }, { onError: toastError });
  return (
    <li className="flex gap-3 py-3 [contain-intrinsic-size:auto_7rem] [content-visibility:auto]">
      <label className="flex shrink-0 items-start touch:min-h-11 touch:min-w-11 touch:justify-center">
        <span className="sr-only">Select “{excerpt(words, 60)}”</span>
        <input type="checkbox" checked={picked} onChange={onPick} className="mt-1 size-4 accent-ink touch:size-5" />
      </label>
      <div className="min-w-0 flex-1">
        {editing ? (
          <MemoryEdit id={memory.id} text={memory.text} onClose={close} onSaved={onEdited} />
        ) : (
          <p className="whitespace-pre-wrap">{words}</p>
        )}
        <p className="flex flex-wrap items-baseline gap-x-2 text-muted text-sm">
          <span className="font-semibold">
            {memory.kind === 'person' ? 'You' : <SeenName name={memory.agentName} />}
          </span>
          <time dateTime={memory.timestamp}>{minuteOf(memory.timestamp)}</time>
          {memory.sessionId && (
            <Link to={exchangePath(memory.sessionId, memory.taskId)} className="text-ink underline underline-offset-2">
              <SeenName name={memory.sessionName ?? ''} />
            </Link>
          )}
          {memory.kind === 'person' && (
            <span>
              to <SeenName name={memory.agentName} />
            </span>
          )}
          {memory.edited && <span>edited</span>}
        </p>
        {memory.why && <p className="text-muted text-sm">{whySentence(memory.why)}</p>}
        <div className="-ml-3 flex flex-wrap gap-1">
          {!editing && (
            <Button ref={opener} size="sm" variant="ghost" onClick={() => onEditing(true)}>
              Edit
            </Button>
          )}
          <PinButton pinned={memory.pinned} loading={update.isPending} onClick={pin} />
          <Button size="sm" variant="ghost" onClick={onForget}>
            Forget
          </Button>
        </div>
      </div>
    </li>
  );
}
