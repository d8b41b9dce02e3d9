import { IMPORT_LIMITS, IMPORT_SENTENCES } from '@atelier/contract/imports';
import { Hono } from 'hono';
import { type AppEnv, holdsPlace, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { receiveUpload } from '../files/incoming-uploads.service.ts';
import { discardImport, startImport, stopImport } from './change-import.service.ts';
import { findLatestImport, getImport, toImport } from './imports.service.ts';
import { receiveArchive } from './receive-archive.service.ts';

/** Whole accounts from archives; mounted at /api/imports, before the limit of JSON bodies. */
export function importsRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('user'), async (c) => {
      const row = await findLatestImport(deps.db, c.get('caller').uid);
      return c.json({ import: row && toImport(row) });
    })
    .post('/', requires('user', 'imports'), holdsPlace('imports'), async (c) => {
      const { archive } = IMPORT_LIMITS;
      const received = await receiveUpload(deps.config, c.req.raw, archive, IMPORT_SENTENCES.tooLarge);
      const caller = c.get('caller');
      const row = await c
        .get('bounds')
        .work(caller.uid, 'imports', () => receiveArchive(deps, caller, received))
        .finally(received.discard);
      return c.json({ import: toImport(row) }, 201);
    })
    .post('/:importId/start', requires('user'), async (c) => {
      const found = await getImport(deps.db, c.get('caller').uid, c.req.param('importId'));
      return c.json({ import: toImport(await startImport(deps, found)) }, 202);
    })
    .post('/:importId/stop', requires('user'), async (c) => {
      const found = await getImport(deps.db, c.get('caller').uid, c.req.param('importId'));
      return c.json({ import: toImport(await stopImport(deps, found)) });
    })
    .delete('/:importId', requires('user'), async (c) => {
      await discardImport(deps, await getImport(deps.db, c.get('caller').uid, c.req.param('importId')));
      return c.body(null, 204);
    });
}
