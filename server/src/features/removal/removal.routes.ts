import { deleteAccountBody } from '@atelier/contract/accounts';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { getAgent } from '../agents/agents.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { deleteAccount } from './delete-account.service.ts';
import { deleteAgent } from './delete-agent.service.ts';
import { deleteSession } from './delete-session.service.ts';

/** Routes that delete something with everything it owns; mounted at /api. */
export function removalRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .delete('/agents/:agentId', requires('user'), async (c) => {
      await deleteAgent(deps, await getAgent(deps.db, c.get('caller').uid, c.req.param('agentId')));
      return c.body(null, 204);
    })
    .delete('/sessions/:sessionId', requires('user'), async (c) => {
      await deleteSession(deps, await getSession(deps.db, c.get('caller').uid, c.req.param('sessionId')));
      return c.body(null, 204);
    })
    .delete('/me', requires('user'), validate('json', deleteAccountBody), async (c) => {
      const { password } = c.req.valid('json');
      await deleteAccount(deps, c.get('caller'), { password });
      return c.json({ deleted: true });
    });
}
