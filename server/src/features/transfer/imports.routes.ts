import { IMPORT_LIMITS, IMPORT_SENTENCES, importCalls } from '@atelier/contract/transfer/imports';
import type { Deps } from '../../platform/deps.ts';
import type { Received } from '../../platform/http/upload.ts';
import { serve } from '../../serve.ts';
import { withUpload } from '../files/uploads.service.ts';
import {
  discardImport,
  endImport,
  findLatestImport,
  getImport,
  receiveArchive,
  startImport,
  toImport,
} from './imports.service.ts';

/** Whole accounts from archives; mounted before the limit of JSON bodies. */
export const importsRoutes = (deps: Deps) =>
  serve(importCalls, {
    latest: async ({ caller }) => {
      const row = await findLatestImport(deps.db, caller.uid);
      return { import: row && toImport(row) };
    },
    upload: async ({ c, caller }) => {
      const limit = { bytes: IMPORT_LIMITS.archive, tooLarge: IMPORT_SENTENCES.tooLarge };
      const receive = (received: Received) =>
        c.get('bounds').work(caller.uid, 'imports', () => receiveArchive(deps, caller, received));
      return { import: toImport(await withUpload(deps, c.req.raw, receive, limit)) };
    },
    start: async ({ caller, params }) => {
      const row = await getImport(deps.db, caller.uid, params.importId);
      return { import: toImport(await startImport(deps, row)) };
    },
    stop: async ({ caller, params }) => {
      const row = await getImport(deps.db, caller.uid, params.importId);
      await endImport(deps, { userId: caller.uid, importId: row.id }, { state: 'stopped' });
      return { import: toImport(await getImport(deps.db, caller.uid, row.id)) };
    },
    discard: async ({ caller, params }) => discardImport(deps, await getImport(deps.db, caller.uid, params.importId)),
  });
