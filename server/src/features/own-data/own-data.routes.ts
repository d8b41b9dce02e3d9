import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import { heldStream } from '../../platform/bounds.ts';
import type { Deps } from '../../platform/deps.ts';
import { noteActivity } from '../accounts/activity/activity.service.ts';
import { exportAccount } from './own-data.service.ts';

/** `GET /api/export`; mounted at /api. */
export function ownDataRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/export', requires('user'), async (c) => {
    const leave = c.get('bounds').enter(c.get('caller').uid, 'exports');
    await noteActivity(deps, c.get('caller').uid, 'data_exported');
    const name = `atelier-export-${new Date().toISOString().slice(0, 10)}.zip`;
    c.header('Content-Type', 'application/zip');
    c.header('Content-Disposition', `attachment; filename="${name}"`);
    return c.body(heldStream(ReadableStream.from(exportAccount(deps, c.get('caller'))), leave));
  });
}
