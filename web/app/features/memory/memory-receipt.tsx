import type { MemoryItem } from '@atelier/contract/memory';
import type { Task } from '@atelier/contract/runs';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { exchangePath } from '../../lib/addresses.ts';
import { useAuth } from '../../lib/auth.tsx';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusWhenClosed } from '../../ui/focus/use-focus.ts';
import { Time } from '../../ui/list/time.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useForgetMemories, useReadMemory, useUpdateMemory } from './memory.api.ts';
import { MemoryEdit } from './memory-edit.tsx';
import { ForgetQuestion, PartialNote } from './memory-notes.tsx';
import { isMarkdown } from './memory-words.ts';
import { byUse, isRated, matchOf, percent, speakerOf } from './receipt.ts';

export interface MemoryChipProps {
  task: Task;
  /** More actions on a memory; `close` closes the list. */
  renderActions?: (item: MemoryItem, close: () => void) => ReactNode;
  /** Shows an answer's text as Markdown. */
  renderMarkdown: (text: string) => ReactNode;
}

/** The memories an answer used, with actions for each. Those that the conversation holds anyway are folded. */
export default function MemoryReceipt(props: MemoryChipProps & { onClose: () => void }) {
  const { task, renderActions, renderMarkdown, onClose } = props;
  const items = byUse(task);
  // The one that made the answer is always in sight.
  const shown = items.filter((item, at) => at === 0 || !item.inConversation);
  const folded = items.filter((item) => !shown.includes(item));
  const list = (some: readonly MemoryItem[]) => (
    <MemoryItems
      items={some}
      agentName={task.agentName}
      sessionId={task.sessionId}
      onFollow={onClose}
      renderMarkdown={renderMarkdown}
      renderActions={(item) => (
        <>
          {renderActions?.(item, onClose)}
          <MemoryActions item={item} />
        </>
      )}
    />
  );
  return (
    <>
      <h3 className="mb-3 font-semibold">Context Retrieved</h3>
      <PartialNote task={task} />
      {list(shown)}
      {folded.length > 0 && (
        <details className="mt-3 border-t pt-3">
          <summary className="text-muted text-sm touch:py-2.5">{folded.length} more in this conversation</summary>
          <div className="pt-2">{list(folded)}</div>
        </details>
      )}
    </>
  );
}

interface MemoryItemsProps {
  items: readonly MemoryItem[];
  agentName: string;
  /** The current session. */
  sessionId: string;
  onFollow?: () => void;
  /** Shows a text as Markdown. */
  renderMarkdown: (text: string) => ReactNode;
  /** The actions below an item. */
  renderActions?: (item: MemoryItem) => ReactNode;
}

/** The items of a receipt: what was recalled, who said it, where and when, and how well it matches. */
function MemoryItems({ items, agentName, sessionId, onFollow, ...render }: MemoryItemsProps) {
  const { renderMarkdown, renderActions } = render;
  return (
    <ul className="flex flex-col divide-y">
      {items.map((item) => (
        <li key={item.id} className="flex flex-col gap-0.5 py-2.5 first:pt-0 last:pb-0">
          {item.forgotten ? (
            <p className="text-muted italic">Forgotten</p>
          ) : (
            <Words item={item} renderMarkdown={renderMarkdown} />
          )}
          <p className="flex flex-wrap items-baseline gap-x-2 text-muted text-sm">
            <span className="font-semibold">{speakerOf(item, agentName)}</span>
            <Time at={item.timestamp} />
            {item.pinned && <span>pinned</span>}
            {item.corrected && <span>corrected by you</span>}
            {item.supersededBy && <span>replaced by a later statement</span>}
            {item.inConversation && <span>in this conversation</span>}
            <Source item={item} sessionId={sessionId} onFollow={onFollow} />
            {isRated(item) && (
              <span className="ml-auto" title={`Matches the question: ${percent(item.score)}`}>
                {matchOf(item.score)}
              </span>
            )}
          </p>
          {renderActions && !item.forgotten && (
            <div className="-ml-3 flex flex-wrap items-center gap-1">{renderActions(item)}</div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A person's words as typed; of an answer or a Markdown file, what its Markdown says. */
function Words({ item, renderMarkdown }: { item: MemoryItem; renderMarkdown: (text: string) => ReactNode }) {
  if (!isMarkdown(item)) return <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{item.text}</p>;
  return <div className="[overflow-wrap:anywhere]">{renderMarkdown(item.text)}</div>;
}

function Source({ item, sessionId, onFollow }: { item: MemoryItem; sessionId: string; onFollow?: () => void }) {
  if (item.kind === 'file' && item.fileName) {
    return (
      <span className="[overflow-wrap:anywhere]">
        <SeenName name={item.fileName} />, {item.place}
      </span>
    );
  }
  if (!item.sessionId) return null;
  const isHere = item.sessionId === sessionId;
  return (
    <>
      {isHere && !item.inConversation && <span>this session</span>}
      {(!isHere || item.taskId) && (
        <Link
          to={exchangePath(item.sessionId, item.taskId)}
          onClick={onFollow}
          className="text-ink underline underline-offset-2"
        >
          {item.taskId ? 'whole message' : 'another session'}
        </Link>
      )}
    </>
  );
}

/** Pro's actions on a recalled memory: edit, pin, forget. */
function MemoryActions({ item }: { item: MemoryItem }) {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  const [open, setOpen] = useState<'none' | 'edit' | 'forget'>('none');
  // A receipt says what was pinned then.
  const [isPinned, setPinned] = useState(item.pinned === true);
  const update = useUpdateMemory();
  const forget = useForgetMemories();
  // The receipt may have only some of its sentences.
  const whole = useReadMemory();
  const { opener, closing } = useFocusWhenClosed();
  const close = () => closing(() => setOpen('none'));
  if (!isPro || item.kind === 'file' || item.kind === 'fact') return null;
  const pin = (pinned: boolean) =>
    update.mutate(
      { id: item.id, pinned },
      {
        onSuccess: () => {
          setPinned(pinned);
          if (!pinned) return toast.success('Unpinned.');
          return toast.success('Pinned: the agent always sees this memory.', { undo: () => pin(false) });
        },
        onError: toastError,
      },
    );
  const answer = (sure: boolean) => {
    setOpen('none');
    if (sure) {
      // `mutateAsync`, because a notice may take the buttons away before the request is answered.
      forget.mutateAsync([item.id]).then(() => toast.success('Forgotten.'), toastError);
    }
  };
  const edit = () =>
    whole.mutate(item.id, {
      onSuccess: () => setOpen('edit'),
      onError: toastError,
    });
  if (open === 'edit' && whole.data) return <MemoryEdit id={item.id} text={whole.data.text} onClose={close} />;
  return (
    <>
      <Button ref={opener} size="sm" variant="ghost" loading={whole.isPending} onClick={edit}>
        Edit
      </Button>
      <Button size="sm" variant="ghost" loading={update.isPending} onClick={() => pin(!isPinned)}>
        {isPinned ? 'Unpin' : 'Pin'}
      </Button>
      <Button size="sm" variant="ghost" loading={forget.isPending} onClick={() => setOpen('forget')}>
        Forget
      </Button>
      <ForgetQuestion count={open === 'forget' ? 1 : 0} onAnswer={answer} />
    </>
  );
}
