import { FOLDER_LIMITS, type Folder } from '@atelier/contract/sessions/folders';
import { useSaveFolder } from '../folders.api.ts';
import { NameForm } from './name-form.tsx';

/** Names a new folder, or renames one. */
export function FolderNameForm({ folder, onSaved }: { folder: Folder | undefined; onSaved: (saved: Folder) => void }) {
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
