import { folderCalls } from '@atelier/contract/sessions/folders';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { createFolder, deleteFolder, listFolders, renameFolder } from './folders.service.ts';

/** Folders of sessions. */
export const foldersRoutes = (deps: Deps) =>
  serve(folderCalls, {
    list: async ({ caller }) => ({ folders: await listFolders(deps, caller) }),
    create: async ({ caller, body }) => ({ folder: await createFolder(deps, caller, body.name) }),
    rename: async ({ caller, params, body }) => ({
      folder: await renameFolder(deps, caller, params.folderId, body.name),
    }),
    remove: ({ caller, params }) => deleteFolder(deps, caller, params.folderId),
  });
