import { sessionExportQuery } from '@atelier/contract/sessions';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { whileSignedIn } from '../accounts/auth/watch-caller.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { exportSession } from './session-export.service.ts';

const TYPES = { md: 'text/markdown; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

/** `GET /api/sessions/:sessionId/export`; mounted at /api/sessions. */
export function sessionExportRoutes(deps: Deps) {
  return new Hono<AppEnv>().get(
    '/:sessionId/export',
    requires('user'),
    validate('query', sessionExportQuery),
    async (c) => {
      const caller = c.get('caller');
      const { format } = c.req.valid('query');
      const session = await getSession(deps.db, caller.uid, c.req.param('sessionId'));
      const open = () => ReadableStream.from(whileSignedIn(deps, c, exportSession(deps, session, format)));
      const document = await c.get('bounds').hold(caller.uid, 'exports', open);
      c.header('Content-Type', TYPES[format]);
      c.header('Content-Disposition', attachment(session.name, format));
      return c.body(document);
    },
  );
}

/** The session's name as a file name that every system can store; in full for who reads RFC 8187. */
function attachment(name: string, ending: string): string {
  const safe = name
    .replaceAll(/[^\p{L}\p{M}\p{N}._ -]+/gu, '-')
    .replace(/^[. -]+/u, '')
    .slice(0, 80)
    .toWellFormed()
    .trim();
  const file = `${safe === '' ? 'session' : safe}.${ending}`;
  const plain = file.replaceAll(/[^\w.\- ]+/gu, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file)}`;
}
