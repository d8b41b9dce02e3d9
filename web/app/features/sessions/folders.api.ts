import { folderAnswer, foldersAnswer } from '@atelier/contract/folders';
import { useMutation, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { keys } from '../../lib/query.ts';

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

/** Deletes a folder; its sessions stay. */
export const useDeleteFolder = () =>
  useMutation({
    mutationFn: (id: string) => request(z.unknown(), 'DELETE', `/api/folders/${id}`),
    onSettled: () => refresh('sessions'),
  });
