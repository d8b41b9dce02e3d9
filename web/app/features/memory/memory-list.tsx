import { SENTENCES } from '@atelier/contract/errors';
import type { Memory } from '@atelier/contract/memory';
import { useRef, useState } from 'react';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { toastError } from '../../lib/toast-error.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ListSkeleton, outdatedClass } from '../../ui/list/list-skeleton.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { toggled } from '../../ui/list/toggled.ts';
import { usePen } from '../../ui/list/use-pen.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { InUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { exportAddress, type MemoryFilters, useForgetMemories, useMemories } from './memory.api.ts';
import { readOpenMemory } from './memory-edit.tsx';
import { ForgetQuestion } from './memory-notes.tsx';
import { MemoryRow } from './memory-row.tsx';
import { countMemories } from './receipt.ts';

/** The most memories that one request forgets. */
const AT_ONCE = 500;

/** The filtered memories, to read, select and forget. */
export function MemoryList({ filters }: { filters: MemoryFilters }) {
  const memories = useMemories(filters);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [selection, setSelection] = useState<string[]>([]);
  const [editedId, setEditedId] = useState<string>();
  const pen = usePen(memories.data?.pages.flatMap((page) => page.memories) ?? [], readOpenMemory);
  const list = useRef<HTMLUListElement>(null);
  const forget = useForgetMemories();
  if (memories.isPending) return <ListSkeleton label="Loading memories" bar />;
  if (!memories.data) return <LoadFailure of={memories} />;
  const { shown } = pen;
  // What was selected under other filters is out of sight, and nothing out of sight is forgotten.
  const chosen = shown.filter((memory) => picked.has(memory.id)).slice(0, AT_ONCE);
  const answer = (sure: boolean) => {
    setSelection([]);
    if (!sure) return;
    forget.mutate(selection, {
      onSuccess: (count) => {
        setPicked(new Set());
        // The pressed button disappears with its row.
        list.current?.focus({ preventScroll: true });
        toast.success(`${countMemories(count)} forgotten.`);
      },
      onError: toastError,
    });
  };
  const late = memories.data.pages.at(-1)?.meaning === 'late' && (
    <p role="status" className="text-muted text-sm">
      {SENTENCES.wordsOnly}
    </p>
  );
  if (shown.length === 0) {
    return (
      <>
        {late}
        <NoMemories filtered={Object.values(filters).some((value) => value !== '')} />
      </>
    );
  }
  return (
    <>
      {late}
      <Tools
        shown={shown}
        chosen={chosen.length}
        onAll={(all) => setPicked(new Set(all ? shown.map((memory) => memory.id) : []))}
        onForget={() => setSelection(chosen.map((memory) => memory.id))}
        forgetting={forget.isPending}
        exportTo={exportAddress(filters)}
      />
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Memories"
        className={classes('divide-y rounded-lg border bg-raised px-4', memories.isPlaceholderData && outdatedClass)}
      >
        <InUnsavedArea value={pen.area}>
          {shown.map((memory) => (
            <MemoryRow
              key={memory.id}
              memory={memory}
              picked={picked.has(memory.id)}
              onPick={() => setPicked(toggled(picked, memory.id))}
              onForget={() => setSelection([memory.id])}
              onEdited={setEditedId}
              edited={memory.id === editedId}
              editing={memory.id === pen.editingId}
              onEditing={(on) => pen.edit(on ? memory.id : null)}
            />
          ))}
        </InUnsavedArea>
      </ul>
      <LoadMore list={memories} />
      <ForgetQuestion count={selection.length} onAnswer={answer} />
    </>
  );
}

interface ToolsProps {
  shown: readonly Memory[];
  chosen: number;
  onAll: (all: boolean) => void;
  onForget: () => void;
  forgetting: boolean;
  exportTo: string;
}

/** What can be done with the memories of the list. */
function Tools({ shown, chosen, onAll, onForget, forgetting, exportTo }: ToolsProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <label className="flex items-center gap-3 pl-4 text-sm touch:min-h-11">
        <input
          type="checkbox"
          checked={chosen > 0 && chosen === shown.length}
          onChange={(e) => onAll(e.target.checked)}
          className="size-4 accent-ink touch:size-5"
        />
        Select all shown
      </label>
      <div className="ml-auto flex gap-3">
        <Button size="sm" disabled={chosen === 0} loading={forgetting} onClick={onForget}>
          {chosen === 0 ? 'Forget selected' : `Forget ${chosen} selected`}
        </Button>
        <a href={exportTo} download className={buttonClass('secondary', 'sm')}>
          Export
        </a>
      </div>
    </div>
  );
}

function NoMemories({ filtered }: { filtered: boolean }) {
  if (filtered) return <EmptyState title="No memories match. Remove a filter or try other words." />;
  return (
    <EmptyState
      title="Nothing is remembered yet. What you and your agents say becomes memories."
      action={<ButtonLink to="/runtime">Say something to an agent</ButtonLink>}
    />
  );
}
