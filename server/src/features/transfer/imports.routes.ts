import { IMPORT_LIMITS, IMPORT_SENTENCES, importCalls } from '@atelier/contract/transfer/imports';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { receiveUpload } from '../files/uploads.service.ts';
import { discardImport, startImport, stopImport } from './change-import.service.ts';
import { findLatestImport, getImport, toImport } from './imports.service.ts';
import { receiveArchive } from './receive-archive.service.ts';

/** Whole accounts from archives; mounted before the limit of JSON bodies. */
export const importsRoutes = (deps: Deps) =>
  serve(importCalls, {
    latest: async ({ caller }) => {
      const row = await findLatestImport(deps.db, caller.uid);
      return { import: row && toImport(row) };
    },
    upload: async ({ c, caller }) => {
      const received = await receiveUpload(deps.config, c.req.raw, IMPORT_LIMITS.archive, IMPORT_SENTENCES.tooLarge);
      const row = await c
        .get('bounds')
        .work(caller.uid, 'imports', () => receiveArchive(deps, caller, received))
        .finally(received.discard);
      return { import: toImport(row) };
    },
    start: async ({ caller, params }) => {
      const found = await getImport(deps.db, caller.uid, params.importId);
      return { import: toImport(await startImport(deps, found)) };
    },
    stop: async ({ caller, params }) => {
      const found = await getImport(deps.db, caller.uid, params.importId);
      return { import: toImport(await stopImport(deps, found)) };
    },
    discard: async ({ caller, params }) => discardImport(deps, await getImport(deps.db, caller.uid, params.importId)),
  });
