import type { SavedPrompt } from '@atelier/contract/prompts';
import { useState } from 'react';
import { errorText } from '../../../lib/http.ts';
import { LoadFailure } from '../../../lib/load-failure.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useFocusPassedOn } from '../../../ui/focus/use-focus.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Pencil, Trash2 } from '../../../ui/icons/lucide.ts';
import { ListSkeleton } from '../../../ui/list/list-skeleton.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { PromptForm, readOpenPrompt } from './prompt-form.tsx';
import { useDeletePrompt, usePrompts, useSavePrompt } from './prompts.api.ts';

export interface PromptsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The composer's text, which may become a prompt. */
  written: string;
  onUse: (prompt: SavedPrompt) => void;
}

/** What the dialog shows: the list, or the form for a new prompt (with this text) or an existing one. */
type View = { at: 'list' } | { at: 'form'; prompt?: SavedPrompt; text: string };
const LIST: View = { at: 'list' };

/** A person's saved prompts: use, create, edit, delete. */
export default function PromptsDialog({ open, onOpenChange, written, onUse }: PromptsDialogProps) {
  const [view, setView] = useState<View>(() => {
    const openPrompt = readOpenPrompt();
    return openPrompt ? { at: 'form', ...openPrompt } : LIST;
  });
  const close = () => {
    onOpenChange(false);
    setView(LIST);
  };
  const editing = view.at === 'form' && view.prompt !== undefined;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title={view.at === 'list' ? 'Saved prompts' : editing ? 'Edit prompt' : 'New prompt'}
      size="lg"
    >
      {view.at === 'form' ? (
        <PromptForm
          prompt={view.prompt}
          text={view.text}
          onSaved={() => setView(LIST)}
          onCancel={() => setView(LIST)}
        />
      ) : (
        <PromptList
          written={written}
          onNew={(text) => setView({ at: 'form', text })}
          onEdit={(prompt) => setView({ at: 'form', prompt, text: prompt.text })}
          onUse={(prompt) => {
            close();
            onUse(prompt);
          }}
        />
      )}
    </Dialog>
  );
}

interface PromptListProps {
  written: string;
  onNew: (text: string) => void;
  onEdit: (prompt: SavedPrompt) => void;
  onUse: (prompt: SavedPrompt) => void;
}

function PromptList({ written, onNew, onEdit, onUse }: PromptListProps) {
  const query = usePrompts(true);
  const prompts = query.data;
  const { removed, problem, remove, undo } = useRemoving();
  if (prompts === undefined) {
    return query.isLoadingError ? <LoadFailure of={query} /> : <ListSkeleton label="Loading your prompts" />;
  }
  return (
    <div className="flex flex-col gap-4">
      {prompts.length === 0 ? (
        <EmptyState title="Save what you ask often, and use it by typing / in an empty message." />
      ) : (
        <ul className="flex flex-col divide-y">
          {prompts.map((prompt) => (
            <PromptRow
              key={prompt.id}
              prompt={prompt}
              onUse={() => onUse(prompt)}
              onEdit={() => onEdit(prompt)}
              onDelete={() => remove(prompt)}
            />
          ))}
        </ul>
      )}
      <div role="status" className="flex flex-wrap items-center justify-between gap-2 text-sm">
        {problem && <p className="text-danger">{problem}</p>}
        {removed && (
          <>
            <p className="wrap-anywhere min-w-0 flex-1 text-muted">“{removed.name}” was deleted.</p>
            <Button size="sm" onClick={() => undo(removed)}>
              Undo
            </Button>
          </>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        {written.trim() !== '' && <Button onClick={() => onNew(written)}>Save my message as a prompt</Button>}
        <Button variant="primary" onClick={() => onNew('')}>
          New prompt
        </Button>
      </div>
    </div>
  );
}

/** Deletes a prompt at once. Undo is inside the dialog: a toast is out of reach for the keyboard while a dialog is open. */
function useRemoving() {
  const remove = useDeletePrompt();
  const save = useSavePrompt(undefined);
  const [removed, setRemoved] = useState<SavedPrompt>();
  const [problem, setProblem] = useState<string>();
  const fail = (error: unknown) => setProblem(errorText(error));
  const start = (next: SavedPrompt | undefined) => {
    setRemoved(next);
    setProblem(undefined);
  };
  return {
    removed,
    problem,
    remove(prompt: SavedPrompt) {
      start(undefined);
      remove.mutateAsync(prompt).then(() => start(prompt), fail);
    },
    undo({ name, text }: SavedPrompt) {
      start(undefined);
      save.mutateAsync({ name, text }).catch(fail);
    },
  };
}

interface PromptRowProps {
  prompt: SavedPrompt;
  onUse: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** One saved prompt, and what can be done with it. */
function PromptRow({ prompt: { name, text }, onUse, onEdit, onDelete }: PromptRowProps) {
  const own = useFocusPassedOn<HTMLLIElement>('after');
  return (
    <li ref={own} className="flex items-center gap-2 py-2">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <p className="wrap-anywhere line-clamp-2 text-muted text-sm">{text}</p>
      </div>
      <Button size="sm" aria-label={`Use “${name}”`} onClick={onUse}>
        Use
      </Button>
      <IconButton size="sm" label={`Edit “${name}”`} onClick={onEdit} Icon={Pencil} />
      <IconButton size="sm" label={`Delete “${name}”`} onClick={onDelete} Icon={Trash2} />
    </li>
  );
}
