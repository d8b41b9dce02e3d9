import { keyCreate } from '@atelier/contract/programs/keys';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { confirmOwner } from '../accounts/ways-in/confirm-owner.service.ts';
import { createKey, getKey, listKeys, revokeKey } from './keys.service.ts';

/** Mounted at /api/keys. No key reaches these routes: a stolen one must not make others. */
export function keysRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('pro'), async (c) => c.json({ keys: await listKeys(deps, c.get('caller')) }))
    .post('/', requires('pro'), validate('json', keyCreate), async (c) => {
      await confirmOwner(deps, c.get('caller'));
      return c.json({ key: await createKey(deps, c.get('caller'), c.req.valid('json')) }, 201);
    })
    .delete('/:keyId', requires('pro'), async (c) => {
      await revokeKey(deps, await getKey(deps, c.get('caller'), c.req.param('keyId')));
      return c.body(null, 204);
    });
}
