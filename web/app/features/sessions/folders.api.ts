import { folderAnswer, foldersAnswer } from '@atelier/contract/folders';
import { useMutation, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { keys } from '../../lib/query.ts';
import { toastError } from '../../lib/toast-error.ts';
import { toast } from '../../ui/overlay/toast.tsx';

/** The person's folders, by name. */
export const useFolders = () =>
  useQuery({
    queryKey: keys.folders,
    queryFn: async ({ signal }) => (await request(foldersAnswer, 'GET', '/api/folders', undefined, { signal })).folders,
  });

/** Creates a folder, or renames the one named by `id`. */
export const useSaveFolder = () =>
  useMutation({
    mutationFn: async ({ id, name }: { id: string | undefined; name: string }) => {
      const path = id === undefined ? '/api/folders' : `/api/folders/${id}`;
      return (await request(folderAnswer, id === undefined ? 'POST' : 'PATCH', path, { name })).folder;
    },
    onSettled: () => refresh('sessions'),
  });

/** Deletes a folder and says so; its sessions stay. A list that shows it returns to all sessions by itself. */
export function useFolderDeletion() {
  const deletion = useMutation({
    mutationFn: (id: string) => request(z.unknown(), 'DELETE', `/api/folders/${id}`),
    onSettled: () => refresh('sessions'),
  });
  return (id: string) =>
    deletion.mutateAsync(id).then(() => toast.success('Folder deleted. Its sessions are in the list.'), toastError);
}
