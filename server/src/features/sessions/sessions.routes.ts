import { sessionCalls } from '@atelier/contract/sessions';
import { folderCalls } from '@atelier/contract/sessions/folders';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { idempotencyKey } from '../../platform/http/request-headers.ts';
import { serve } from '../../serve.ts';
import { createSession } from './create-session.service.ts';
import { createFolder, deleteFolder, listFolders, renameFolder } from './folders.service.ts';
import { restoreSessions } from './hide-sessions.service.ts';
import { changeSessions, getSession, listSessions, type SessionKey, toSession } from './sessions.service.ts';

/** `onRestored` is called for sessions that came back, once that is stored. */
export function sessionsRoutes(deps: Deps, onRestored: (keys: SessionKey[]) => void) {
  const restore = async (caller: Caller, ids: string[]) => {
    const restored = await restoreSessions(deps, caller, ids);
    onRestored(restored.map(({ userId, id }) => ({ userId, sessionId: id })));
    return restored.map(toSession);
  };
  return serve(sessionCalls, {
    list: async ({ caller, query }) => {
      const { rows, nextCursor } = await listSessions(deps, caller, query);
      return { sessions: rows.map(toSession), nextCursor };
    },
    create: async ({ c, caller, body }) => ({
      session: toSession(await createSession(deps, caller, { ...body, idempotencyKey: idempotencyKey(c) })),
    }),
    get: async ({ caller, params }) => ({
      session: toSession(await getSession(deps.db, caller.uid, params.sessionId)),
    }),
    change: async ({ caller, params, body }) => {
      const { id } = await getSession(deps.db, caller.uid, params.sessionId);
      const [session] = await changeSessions(deps, caller, [id], body);
      if (session === undefined) throw notFound('This session');
      return { session: toSession(session) };
    },
    changeMany: async ({ caller, body: { ids, ...change } }) => ({
      sessions: (await changeSessions(deps, caller, ids, change)).map(toSession),
    }),
    restoreMany: async ({ caller, body }) => ({ sessions: await restore(caller, body.ids) }),
    restore: async ({ caller, params }) => {
      const [session] = isUuid(params.sessionId) ? await restore(caller, [params.sessionId]) : [];
      if (session === undefined) throw notFound('This session');
      return { session };
    },
  });
}

/** Folders of sessions. */
export const foldersRoutes = (deps: Deps) =>
  serve(folderCalls, {
    list: async ({ caller }) => ({ folders: await listFolders(deps, caller) }),
    create: async ({ caller, body }) => ({ folder: await createFolder(deps, caller, body.name) }),
    rename: async ({ caller, params, body }) => ({
      folder: await renameFolder(deps, caller, params.folderId, body.name),
    }),
    remove: ({ caller, params }) => deleteFolder(deps, caller, params.folderId),
  });
