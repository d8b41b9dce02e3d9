import { z } from 'zod';
import { calls, create, get, patch, remove } from '../calls.ts';
import { instant } from '../ids.ts';
import { nameText } from '../names/names.ts';

/** Folders of one person, and characters of a name. */
export const FOLDER_LIMITS = { folders: 200, name: 100 } as const;

export const FOLDER_SENTENCES = {
  taken: 'You already have a folder with this name. Choose another name.',
  tooMany: `You can have at most ${FOLDER_LIMITS.folders} folders. Delete one first.`,
} as const;

const folderName = nameText(FOLDER_LIMITS.name, 'The folder name', 'A folder needs a name.');

export const folderWrite = z.strictObject({ name: folderName });

export const folder = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: instant,
  /** How many sessions are in it, without archived ones. */
  sessionCount: z.number().int(),
});
export type Folder = z.infer<typeof folder>;

export const folderAnswer = z.object({ folder });
/** All folders, by name. */
export const foldersAnswer = z.object({ folders: z.array(folder) });

export const folderCalls = calls('/api/folders', {
  list: get('', 'listFolders', 'Your folders of sessions.', { answer: foldersAnswer }),
  create: create('', 'createFolder', 'Creates a folder.', {
    body: folderWrite,
    answer: folderAnswer,
    fails: ['limit_reached', 'conflict'],
  }),
  rename: patch('/:folderId', 'renameFolder', 'Renames a folder.', {
    body: folderWrite,
    answer: folderAnswer,
    fails: ['conflict'],
  }),
  remove: remove('/:folderId', 'deleteFolder', 'Deletes a folder and keeps its sessions.'),
});
