import { deleteAccountBody } from '@atelier/contract/accounts';
import { sessionsPick } from '@atelier/contract/sessions';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { validate } from '../../platform/http/validate.ts';
import { getAgent } from '../agents/agents.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { deleteAccount } from './delete-account.service.ts';
import { deleteAgent } from './delete-agent.service.ts';
import { deleteExchange } from './delete-exchange.service.ts';
import { deleteSessions } from './delete-session.service.ts';

/** Routes that delete something with everything it owns; mounted at /api. */
export function removalRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .delete('/agents/:agentId', requires('user'), async (c) => {
      await deleteAgent(deps, await getAgent(deps.db, c.get('caller').uid, c.req.param('agentId')));
      return c.body(null, 204);
    })
    .delete('/sessions/:sessionId', requires('user'), async (c) => {
      const { uid } = c.get('caller');
      const { id } = await getSession(deps.db, uid, c.req.param('sessionId'));
      await deleteSessions(deps, uid, [id]);
      return c.body(null, 204);
    })
    .delete('/sessions/:sessionId/tasks/:taskId', requires('user'), async (c) => {
      const { sessionId, taskId } = c.req.param();
      await deleteExchange(deps, c.get('caller'), sessionId, taskId);
      return c.body(null, 204);
    })
    .delete('/sessions', requires('user'), validate('json', sessionsPick), async (c) => {
      const deleted = await deleteSessions(deps, c.get('caller').uid, c.req.valid('json').ids);
      if (deleted.length === 0) throw notFound('This session');
      return c.json({ deleted });
    })
    .delete('/me', requires('user'), validate('json', deleteAccountBody), async (c) => {
      const { password } = c.req.valid('json');
      await deleteAccount(deps, c.get('caller'), { password });
      return c.json({ deleted: true });
    });
}
