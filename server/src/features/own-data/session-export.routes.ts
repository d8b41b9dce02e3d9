import { sessionExportCalls } from '@atelier/contract/sessions';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { whileSignedIn } from '../accounts/auth/watch-caller.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { exportSession } from './session-export.service.ts';

const TYPES = { md: 'text/markdown; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

export const sessionExportRoutes = (deps: Deps) =>
  serve(sessionExportCalls, {
    export: ({ c, caller, params, query: { format } }) =>
      c.get('bounds').hold(caller.uid, 'exports', async () => {
        const session = await getSession(deps.db, caller.uid, params.sessionId);
        return c.body(ReadableStream.from(whileSignedIn(deps, c, exportSession(deps, session, format))), 200, {
          'content-type': TYPES[format],
          'content-disposition': attachment(session.name, format),
        });
      }),
  });

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
