import { shareCreate, shareUpdate } from '@atelier/contract/sharing/shares';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import { createClientAddress, networkOf } from '../../platform/client-address.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { toAgent } from '../agents/agents.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { copySharedAgent, readShared } from './shared.service.ts';
import { createShare, getShare, listShares, revokeShare, updateShare } from './shares.service.ts';

/** Links to sessions and answers; mounted at /api. */
export function sharesRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/sessions/:sessionId/shares', requires('user'), async (c) => {
      const session = await getSession(deps.db, c.get('caller').uid, c.req.param('sessionId'));
      return c.json({ shares: await listShares(deps, c.get('caller'), session.id) });
    })
    .post('/sessions/:sessionId/shares', requires('user'), validate('json', shareCreate), async (c) => {
      const session = await getSession(deps.db, c.get('caller').uid, c.req.param('sessionId'));
      return c.json({ share: await createShare(deps, c.get('caller'), session, c.req.valid('json')) }, 201);
    })
    .get('/shares', requires('user'), async (c) => c.json({ shares: await listShares(deps, c.get('caller')) }))
    .patch('/shares/:shareId', requires('user'), validate('json', shareUpdate), async (c) => {
      const share = await getShare(deps, c.get('caller'), c.req.param('shareId'));
      return c.json({ share: await updateShare(deps, c.get('caller'), share, c.req.valid('json')) });
    })
    .delete('/shares/:shareId', requires('user'), async (c) => {
      await revokeShare(deps, await getShare(deps, c.get('caller'), c.req.param('shareId')));
      return c.body(null, 204);
    });
}

/** What a link shows, for anyone who has it; mounted at /api/shared. */
export function sharedRoutes(deps: Deps) {
  const addressOf = createClientAddress(deps.config.TRUSTED_PROXIES);
  return new Hono<AppEnv>()
    .get('/:token', requires('public'), async (c) => {
      c.get('bounds').spend(networkOf(addressOf(c)), 'shared');
      const shared = await readShared(deps, c.req.param('token'));
      c.header('X-Robots-Tag', 'noindex');
      return c.json({ shared });
    })
    .post('/:token/copy', requires('user', 'agents'), async (c) => {
      const agent = await copySharedAgent(deps, c.get('caller'), c.req.param('token'));
      return c.json({ agent: toAgent(agent) }, 201);
    });
}
