import { sessionCreate, sessionsPick, sessionsQuery, sessionsUpdate, sessionUpdate } from '@atelier/contract/sessions';
import { Hono } from 'hono';
import { validate as isUuid } from 'uuid';
import { type AppEnv, type Caller, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { validate } from '../../platform/http/validate.ts';
import { createSession } from './create-session.service.ts';
import { restoreSessions } from './hide-sessions.service.ts';
import { changeSessions } from './sessions.change.service.ts';
import { listSessions } from './sessions.list.service.ts';
import { getSession, type SessionKey, toSession } from './sessions.service.ts';

/** Mounted at /api/sessions. `onRestored` is called for sessions that came back, once that is stored. */
export function sessionsRoutes(deps: Deps, onRestored: (keys: SessionKey[]) => void) {
  const restore = async (caller: Caller, ids: string[]) => {
    const restored = await restoreSessions(deps, caller, ids);
    onRestored(restored.map(({ userId, id }) => ({ userId, sessionId: id })));
    return restored;
  };
  return new Hono<AppEnv>()
    .get('/', requires('user'), validate('query', sessionsQuery), async (c) => {
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
      const { id } = await getSession(deps.db, c.get('caller').uid, c.req.param('sessionId'));
      const [session] = await changeSessions(deps, c.get('caller'), [id], c.req.valid('json'));
      if (session === undefined) throw notFound('This session');
      return c.json({ session: toSession(session) });
    })
    .patch('/', requires('user'), validate('json', sessionsUpdate), async (c) => {
      const { ids, ...change } = c.req.valid('json');
      const changed = await changeSessions(deps, c.get('caller'), ids, change);
      return c.json({ sessions: changed.map(toSession) });
    })
    .post('/restore', requires('user'), validate('json', sessionsPick), async (c) => {
      const restored = await restore(c.get('caller'), c.req.valid('json').ids);
      return c.json({ sessions: restored.map(toSession) });
    })
    .post('/:sessionId/restore', requires('user'), async (c) => {
      const id = c.req.param('sessionId');
      const [session] = isUuid(id) ? await restore(c.get('caller'), [id]) : [];
      if (session === undefined) throw notFound('This session');
      return c.json({ session: toSession(session) });
    });
}
