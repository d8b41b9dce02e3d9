import { pastCalls } from '@atelier/contract/transfer/past';
import type { Deps } from '../../../platform/deps.ts';
import { serve } from '../../../serve.ts';
import { getImport, toImport } from '../imports.service.ts';
import { choosePast, readPast } from './choose.service.ts';
import { type Deletion, undoImport } from './undo.service.ts';

/** Exports of other programs: what they hold, what of it is imported, and undoing that. */
export const pastRoutes = (deps: Deps, deletion: Deletion) =>
  serve(pastCalls, {
    read: async ({ caller, params }) => ({
      past: await readPast(deps, await getImport(deps.db, caller.uid, params.importId)),
    }),
    choose: async ({ caller, params, body }) => {
      const row = await getImport(deps.db, caller.uid, params.importId);
      return { import: toImport(await choosePast(deps, row, body)) };
    },
    undo: async ({ caller, params }) => {
      const row = await getImport(deps.db, caller.uid, params.importId);
      return { import: toImport(await undoImport(deps, deletion, row)) };
    },
  });
