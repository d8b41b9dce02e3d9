import { folderCalls } from '@atelier/contract/sessions/folders';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { keys } from '../../lib/query.ts';
import { toastError } from '../../lib/toast-error.ts';
import { toast } from '../../ui/overlay/toast.tsx';

/** The person's folders, by name. */
export const useFolders = () =>
  useQuery({
    queryKey: keys.folders,
    queryFn: async ({ signal }) => (await call(folderCalls.list, { signal })).folders,
  });

/** Creates a folder, or renames the one named by `id`. */
export const useSaveFolder = () =>
  useMutation({
    mutationFn: async ({ id, name }: { id: string | undefined; name: string }) =>
      id === undefined
        ? (await call(folderCalls.create, { body: { name } })).folder
        : (await call(folderCalls.rename, { params: { folderId: id }, body: { name } })).folder,
    onSettled: () => refresh('sessions'),
  });

/** Deletes a folder and says so; its sessions stay. A list that shows it returns to all sessions by itself. */
export function useFolderDeletion() {
  const deletion = useMutation({
    mutationFn: (folderId: string) => call(folderCalls.remove, { params: { folderId } }),
    onSettled: () => refresh('sessions'),
  });
  return (id: string) =>
    deletion.mutateAsync(id).then(() => toast.success('Folder deleted. Its sessions are in the list.'), toastError);
}
