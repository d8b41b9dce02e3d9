import type { Folder } from '@atelier/contract/sessions/folders';
import type { CommandGroup } from '../../features/search/commands.ts';
import { useFolderDeletion } from '../../features/sessions/folders.api.ts';
import { askAboutSessions } from '../../features/sessions/session-dialog-store.ts';
import { useWorkspace } from './use-workspace.ts';

/** For each folder: its own list, another name, and deletion. */
export function useFolderCommands(folders: readonly Folder[]): CommandGroup {
  const { enter, show } = useWorkspace();
  const remove = useFolderDeletion();
  const rename = async (folder: Folder) => {
    await enter();
    askAboutSessions({ kind: 'folder', folder });
  };
  const commands = folders.flatMap((folder) => [
    {
      id: `folder ${folder.id}`,
      label: `Open folder ${folder.name}`,
      keywords: ['go to'],
      run: () => show({ place: folder.id }),
    },
    { id: `rename ${folder.id}`, label: `Rename folder ${folder.name}…`, run: () => void rename(folder) },
    {
      id: `delete ${folder.id}`,
      label: `Delete folder ${folder.name}, keep its sessions`,
      keywords: ['remove'],
      run: () => void remove(folder.id),
    },
  ]);
  return { heading: 'Folders', commands, only: 'typed' };
}
