import { SESSION_NAME_MAX, type Session } from '@atelier/contract/sessions';
import { FOLDER_LIMITS, type Folder } from '@atelier/contract/sessions/folders';
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type SessionQuestion, sessionQuestion } from './session-dialog-store.ts';
import { useChangeSessions, useFolders, useSaveFolder } from './sessions.api.ts';
import { useSessionActions } from './use-session-actions.ts';

const close = () => sessionQuestion.set(null);

/** The dialogs that name sessions and folders, and choose a folder. Used once, by the page. */
export default function SessionDialogs() {
  const question = sessionQuestion.useValue();
  // What was asked last stays in the dialog while it closes.
  const [shown, setShown] = useState(question);
  if (question !== null && question !== shown) setShown(question);
  if (shown === null) return null;
  return <Question question={shown} open={question !== null} />;
}

function Question({ question, open }: { question: SessionQuestion; open: boolean }) {
  const dialog = { open, onOpenChange: (next: boolean) => !next && close() };
  if (question.kind === 'move') {
    return (
      <Dialog {...dialog} title="Move to folder">
        {open && <FolderChoice sessions={question.sessions} />}
      </Dialog>
    );
  }
  if (question.kind === 'rename') {
    const many = question.sessions.length > 1;
    return (
      <Dialog
        {...dialog}
        title={many ? `Rename ${question.sessions.length} sessions` : 'Rename session'}
        description={many ? 'Each gets this name with a number: “Name 1”, “Name 2”.' : undefined}
      >
        {open && <SessionNameForm sessions={question.sessions} />}
      </Dialog>
    );
  }
  return (
    <Dialog {...dialog} title={question.folder ? 'Rename folder' : 'New folder'}>
      {open && <FolderNameForm folder={question.folder} onSaved={close} />}
    </Dialog>
  );
}

/** Where to: one of the folders, none, or a new one. */
function FolderChoice({ sessions }: { sessions: readonly Session[] }) {
  const folders = useFolders();
  const { move } = useSessionActions();
  const heading = useId();
  const [isNew, setNew] = useState(false);
  const choose = (folder: { id: string; name: string } | null) => {
    close();
    void move(sessions, folder);
  };
  const isFiled = sessions.some((session) => session.folderId !== null);
  if (isNew || folders.data?.length === 0) return <FolderNameForm folder={undefined} onSaved={choose} />;
  if (folders.isPending) return <Skeleton className="h-24" />;
  if (folders.isLoadingError) return <LoadFailure of={folders} />;
  return (
    <div className="flex flex-col gap-3">
      <h3 id={heading} className="sr-only">
        Folders
      </h3>
      <ul aria-labelledby={heading} className="flex flex-col gap-1">
        {folders.data.map((folder) => (
          <li key={folder.id}>
            <Button className="w-full justify-start" onClick={() => choose(folder)}>
              <span className="truncate">{folder.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setNew(true)}>New folder…</Button>
        {isFiled && <Button onClick={() => choose(null)}>No folder</Button>}
      </div>
    </div>
  );
}

function SessionNameForm({ sessions }: { sessions: readonly Session[] }) {
  const change = useChangeSessions();
  const ids = sessions.map((session) => session.id);
  const only = sessions.length === 1 ? sessions[0] : undefined;
  return (
    <NameForm
      label="Session name"
      initial={only?.name ?? ''}
      max={only ? SESSION_NAME_MAX : SESSION_NAME_MAX - ` ${ids.length}`.length}
      action="Rename"
      save={(name) => change.mutateAsync({ ids, change: { name } }).then(close)}
    />
  );
}

function FolderNameForm({ folder, onSaved }: { folder: Folder | undefined; onSaved: (saved: Folder) => void }) {
  const saving = useSaveFolder();
  return (
    <NameForm
      label="Folder name"
      initial={folder?.name ?? ''}
      max={FOLDER_LIMITS.name}
      action={folder ? 'Rename' : 'Create folder'}
      save={(name) => saving.mutateAsync({ id: folder?.id, name }).then(onSaved)}
    />
  );
}

interface NameFormProps {
  label: string;
  initial: string;
  max: number;
  action: string;
  save: (name: string) => Promise<unknown>;
}

/** One field and its button; a refusal stands below the field, and what was typed stays. */
function NameForm({ label, initial, max, action, save }: NameFormProps) {
  const [typed, setTyped] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // After the dialog has taken the focus, and knows where to return it.
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    if (typed.trim() === '') return setProblem('Please enter a name.');
    setBusy(true);
    await save(typed.trim()).catch((error: unknown) => setProblem(errorText(error)));
    setBusy(false);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField
        label={label}
        error={problem}
        ref={field}
        value={typed}
        maxLength={max}
        autoComplete="off"
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setTyped(event.target.value);
          setProblem(undefined);
        }}
      />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" loading={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
