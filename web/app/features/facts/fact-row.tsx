import type { Fact } from '@atelier/contract/facts';
import { Link } from 'react-router';
import { exchangePath } from '../../lib/addresses.ts';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusWhenClosed } from '../../ui/focus/use-focus.ts';
import { dayOf } from '../../ui/formats.ts';
import { PinButton } from '../../ui/list/pin-button.tsx';
import { DangerButton } from '../../ui/overlay/danger-button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useForgetting } from './fact-actions.tsx';
import { FactEdit } from './fact-edit.tsx';
import { useForgetSource, useUpdateFact } from './facts.api.ts';
import type { Standing } from './group-facts.ts';

export interface FactRowProps {
  standing: Standing;
  /** The fact is gone, and its buttons with it. */
  onGone: () => void;
  /** It is being corrected. */
  editing: boolean;
  onEditing: (editing: boolean) => void;
}

/** One fact on the memory page: its words, origin and actions, and what it replaced. */
export function FactRow({ standing: { fact, replaced }, onGone, editing, onEditing }: FactRowProps) {
  const { opener, closing } = useFocusWhenClosed();
  const update = useUpdateFact();
  const { forget, isForgetting } = useForgetting(onGone);
  const pin = () => update.mutate({ id: fact.id, pinned: !fact.pinned }, { onError: toastError });
  const close = () => closing(() => onEditing(false));
  if (editing) {
    return (
      <li className="flex flex-col gap-1 py-3">
        <FactEdit id={fact.id} text={fact.text} onClose={close} more={<ForgetMessage fact={fact} onGone={onGone} />} />
        <Origin fact={fact} />
      </li>
    );
  }
  return (
    <li className="flex flex-col gap-x-4 gap-y-1 py-3 sm:flex-row">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className={fact.replacedBy === undefined ? undefined : 'text-muted line-through'}>{fact.text}</p>
        <Origin fact={fact} />
        {replaced.map((old) => (
          <Replaced key={old.id} fact={old} onGone={onGone} />
        ))}
      </div>
      <div className="-ml-3 flex flex-wrap gap-1 self-start sm:-mt-1 sm:-mr-3">
        <Button ref={opener} size="sm" variant="ghost" onClick={() => onEditing(true)}>
          Correct
        </Button>
        <PinButton pinned={fact.pinned} loading={update.isPending} onClick={pin} />
        <Button size="sm" variant="ghost" loading={isForgetting} onClick={() => forget(fact.id)}>
          Forget
        </Button>
      </div>
    </li>
  );
}

function Origin({ fact }: { fact: Fact }) {
  const { sessionId, taskId, sessionName, timestamp } = fact.source;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-muted text-sm">
      <time dateTime={timestamp}>{dayOf(timestamp)}</time>
      <Link to={exchangePath(sessionId, taskId)} className="text-ink underline underline-offset-2">
        {sessionName}
      </Link>
      {fact.corrected && <span>corrected by you</span>}
    </p>
  );
}

/** An earlier fact, which the one above made untrue. */
function Replaced({ fact, onGone }: { fact: Fact; onGone: () => void }) {
  const { forget, isForgetting } = useForgetting(onGone);
  return (
    <p className="flex flex-wrap items-center gap-x-2 border-l-2 pl-3 text-muted text-sm">
      <span>
        <span className="sr-only">Replaced: </span>
        <s>{fact.text}</s>
      </span>
      <time dateTime={fact.source.timestamp}>{dayOf(fact.source.timestamp)}</time>
      <Button
        size="sm"
        variant="ghost"
        loading={isForgetting}
        aria-label={`Forget “${fact.text}”`}
        onClick={() => forget(fact.id)}
      >
        Forget
      </Button>
    </p>
  );
}

/** Forgets the message itself, after a question: that can't be undone. */
function ForgetMessage({ fact, onGone }: { fact: Fact; onGone: () => void }) {
  const forget = useForgetSource();
  const confirm = () =>
    void forget.mutateAsync(fact.source.memoryId).then(() => {
      onGone();
      toast.success('The message is forgotten, with every fact from it.');
    }, toastError);
  return (
    <DangerButton
      className=""
      loading={forget.isPending}
      title="Forget what was said too?"
      body="The message this fact comes from is removed from memory, search and every receipt, with all facts from it. The exchange stays in its session unless you delete that too. This can't be undone."
      confirmLabel="Forget"
      onConfirm={confirm}
    >
      Forget what was said
    </DangerButton>
  );
}
