import { type Session, type SessionExportFormat, sessionExportCalls } from '@atelier/contract/sessions';
import { useNavigate } from 'react-router';
import { useAuth } from '../../lib/auth.tsx';
import { addressOf } from '../../lib/http.ts';
import { useNavigateAfter } from '../../lib/navigate-after.ts';
import { saveFrom } from '../../lib/save-from.ts';
import { toastError } from '../../lib/toast-error.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { BEHIND_DRAWER } from '../../ui/page/drawer-request.ts';
import { forgetLastSession } from './last-session.ts';
import type { SessionChange } from './session-pages.ts';
import { useChangeSessions, useDeleteSessions, useRestoreSessions } from './sessions.api.ts';

type Sessions = readonly Session[];

const named = (sessions: Sessions) =>
  sessions.length === 1 ? `Session “${sessions[0]?.name}”` : `${sessions.length} sessions`;

const idsOf = (sessions: Sessions) => sessions.map((session) => session.id);

/** The session in the address, whichever page is shown. */
export const openSessionId = () =>
  location.pathname === '/runtime' ? new URLSearchParams(location.search).get('sessionId') : null;

/** What one can do with sessions. */
export interface SessionActions {
  change: (sessions: Sessions, changes: SessionChange) => Promise<unknown>;
  archive: (sessions: Sessions, archived: boolean) => Promise<unknown>;
  /** Into a folder; with null, out of it. */
  move: (sessions: Sessions, folder: { id: string; name: string } | null) => Promise<unknown>;
  remove: (sessions: Sessions) => Promise<unknown>;
  exportAs: (session: Session, format: SessionExportFormat) => void;
}

const STILL_COUNTS = { one: 'It still counts', several: 'They still count' };

/** Everything one can do with sessions: at once on the screen, with an undo where something goes away. */
export function useSessionActions(): SessionActions {
  const change = useChangeSessions();
  const remove = useRemoval();
  const { me } = useAuth();
  // Promises and not callbacks of `mutate`: the drawer around the list may be closed before the answer.
  const apply = (ids: readonly string[], changes: SessionChange) => change.mutateAsync({ ids, change: changes });
  const limit = me?.limits.sessions;
  const counts = (n: number) =>
    typeof limit === 'number'
      ? ` ${n === 1 ? STILL_COUNTS.one : STILL_COUNTS.several} towards your ${limit} sessions.`
      : '';
  return {
    change: (sessions: Sessions, changes: SessionChange) => apply(idsOf(sessions), changes).catch(toastError),
    archive: (sessions: Sessions, archived: boolean) => {
      const ids = idsOf(sessions);
      const undo = () => apply(ids, { archived: !archived }).catch(toastError);
      const sentence = `${named(sessions)} ${archived ? `archived.${counts(ids.length)}` : 'back in the list.'}`;
      return apply(ids, { archived }).then(() => toast.success(sentence, { undo }), toastError);
    },
    move: (sessions: Sessions, folder: { id: string; name: string } | null) => {
      const undo = () => moveBack(sessions, apply).catch(toastError);
      const where = folder === null ? 'out of its folder' : `to “${folder.name}”`;
      const moved = apply(idsOf(sessions), { folderId: folder?.id ?? null });
      return moved.then(() => toast.success(`${named(sessions)} moved ${where}.`, { undo }), toastError);
    },
    remove,
    exportAs: ({ id }: Session, format: SessionExportFormat) =>
      saveFrom(addressOf(sessionExportCalls.export, { params: { sessionId: id }, query: { format } })),
  };
}

/** Each into the folder that it was in. */
async function moveBack(before: Sessions, apply: (ids: readonly string[], change: SessionChange) => Promise<unknown>) {
  for (const folderId of new Set(before.map((session) => session.folderId))) {
    await apply(idsOf(before.filter((session) => session.folderId === folderId)), { folderId });
  }
}

/** Deletes at once and offers undo while the toast is shown; leaves the open session's page, and returns with an undo. */
function useRemoval() {
  const navigate = useNavigate();
  const navigateAfter = useNavigateAfter();
  const deletion = useDeleteSessions();
  const restoration = useRestoreSessions();
  const restore = (sessions: Sessions, openId?: string) => {
    const open = navigateAfter();
    return restoration
      .mutateAsync(idsOf(sessions))
      .then(() => openId !== undefined && open(`/runtime?sessionId=${openId}`, BEHIND_DRAWER), toastError);
  };
  const remove = (sessions: Sessions) => {
    const open = sessions.find(({ id }) => id === openSessionId());
    return deletion.mutateAsync(idsOf(sessions)).then(() => {
      forgetLastSession(idsOf(sessions));
      if (open && open.id === openSessionId()) void navigate('/runtime', { replace: true, ...BEHIND_DRAWER });
      toast.success(`${named(sessions)} deleted.`, { undo: () => restore(sessions, open?.id) });
    }, toastError);
  };
  return remove;
}
