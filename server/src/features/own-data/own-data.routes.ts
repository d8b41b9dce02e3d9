import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { noteActivity } from '../accounts/activity/activity.service.ts';
import { whileSignedIn } from '../accounts/auth/watch-caller.service.ts';
import { exportAccount } from './own-data.service.ts';

/** `GET /api/export`; mounted at /api. */
export function ownDataRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/export', requires('user'), async (c) => {
    const caller = c.get('caller');
    const open = () => ReadableStream.from(whileSignedIn(deps, c, exportAccount(deps, caller)));
    const archive = await c.get('bounds').hold(caller.uid, 'exports', open);
    await noteActivity(deps, caller.uid, 'data_exported');
    const name = `atelier-export-${new Date().toISOString().slice(0, 10)}.zip`;
    c.header('Content-Type', 'application/zip');
    c.header('Content-Disposition', `attachment; filename="${name}"`);
    return c.body(archive);
  });
}
