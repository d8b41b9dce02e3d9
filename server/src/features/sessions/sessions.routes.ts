import { pageQuery } from '@atelier/contract/ids';
import { sessionCreate, sessionUpdate } from '@atelier/contract/sessions';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import {
  createSession,
  getSession,
  listSessions,
  renameSession,
  restoreSession,
  toSession,
} from './sessions.service.ts';

export function sessionsRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('user'), validate('query', pageQuery), async (c) => {
      const { rows, nextCursor } = await listSessions(deps, c.get('caller'), c.req.valid('query'));
      return c.json({ sessions: rows.map(toSession), nextCursor });
    })
    .post('/', requires('user'), validate('json', sessionCreate), async (c) => {
      const session = await createSession(deps, c.get('caller'), c.req.valid('json'));
      return c.json({ session: toSession(session) }, 201);
    })
    .get('/:sessionId', requires('user'), async (c) => {
      const session = await getSession(deps.db, c.get('caller').uid, c.req.param('sessionId'));
      return c.json({ session: toSession(session) });
    })
    .patch('/:sessionId', requires('user'), validate('json', sessionUpdate), async (c) => {
      const session = await getSession(deps.db, c.get('caller').uid, c.req.param('sessionId'));
      return c.json({ session: toSession(await renameSession(deps, session, c.req.valid('json').name)) });
    })
    .post('/:sessionId/restore', requires('user'), async (c) => {
      const session = await restoreSession(deps, c.get('caller'), c.req.param('sessionId'));
      return c.json({ session: toSession(session) });
    });
}
