import { exportCalls } from '@atelier/contract/accounts';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { noteActivity } from '../accounts/activity/activity.service.ts';
import { whileSignedIn } from '../accounts/auth/watch-caller.service.ts';
import { exportAccount } from './own-data.service.ts';

export const ownDataRoutes = (deps: Deps) =>
  serve(exportCalls, {
    export: async ({ c, caller }) => {
      const archive = await c.get('bounds').hold(caller.uid, 'exports', async () =>
        c.body(ReadableStream.from(whileSignedIn(deps, c, exportAccount(deps, caller))), 200, {
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="atelier-export-${new Date().toISOString().slice(0, 10)}.zip"`,
        }),
      );
      // In nobody's turn: it waits for the disk.
      await noteActivity(deps, caller.uid, 'data_exported');
      return archive;
    },
  });
