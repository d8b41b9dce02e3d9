import type { Session } from '@atelier/contract/sessions';
import { useId, useState } from 'react';
import { errorText } from '../../../lib/http.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useFolders } from '../folders.api.ts';
import { closeSessionDialog } from '../session-dialog-store.ts';
import { useSessionActions } from '../use-session-actions.ts';
import { FolderNameForm } from './folder-name-form.tsx';

/** Where to: one of the folders, none, or a new one. */
export function FolderChoice({ sessions }: { sessions: readonly Session[] }) {
  const folders = useFolders();
  const { move } = useSessionActions();
  const heading = useId();
  const [isNew, setNew] = useState(false);
  const choose = (folder: { id: string; name: string } | null) => {
    closeSessionDialog();
    void move(sessions, folder);
  };
  const isFiled = sessions.some((session) => session.folderId !== null);
  if (isNew || folders.data?.length === 0) return <FolderNameForm folder={undefined} onSaved={choose} />;
  if (folders.isPending) return <Skeleton className="h-24" />;
  if (folders.isError) return <Failure text={errorText(folders.error)} onRetry={() => void folders.refetch()} />;
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
