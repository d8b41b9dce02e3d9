import { folderWrite } from '@atelier/contract/folders';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { createFolder, deleteFolder, listFolders, renameFolder } from './folders.service.ts';

/** Folders of sessions; mounted at /api/folders. */
export function foldersRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('user'), async (c) => c.json({ folders: await listFolders(deps, c.get('caller')) }))
    .post('/', requires('user'), validate('json', folderWrite), async (c) =>
      c.json({ folder: await createFolder(deps, c.get('caller'), c.req.valid('json').name) }, 201),
    )
    .patch('/:folderId', requires('user'), validate('json', folderWrite), async (c) => {
      const { name } = c.req.valid('json');
      return c.json({ folder: await renameFolder(deps, c.get('caller'), c.req.param('folderId'), name) });
    })
    .delete('/:folderId', requires('user'), async (c) => {
      await deleteFolder(deps, c.get('caller'), c.req.param('folderId'));
      return c.body(null, 204);
    });
}
