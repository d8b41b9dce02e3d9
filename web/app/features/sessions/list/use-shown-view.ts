import { useAuth } from '../../../lib/auth.tsx';
import { useFolders } from '../folders.api.ts';
import { isMainView, MAIN_VIEW, type SessionView, showSessions, useSessionView } from '../session-view.ts';

/** The view that the person chose; a folder that is gone meanwhile is left. */
export function useShownView() {
  const uid = useAuth().user?.uid ?? '';
  const chosen = useSessionView(uid);
  const folders = useFolders();
  const isGone = !['all', 'archived'].includes(chosen.place) && folders.data?.every(({ id }) => id !== chosen.place);
  return {
    view: isGone ? MAIN_VIEW : chosen,
    setView: (next: SessionView) => showSessions(uid, next),
    folders: folders.data ?? [],
    // Without them the list would move when they come.
    isPending: folders.isPending && isMainView(chosen),
  };
}
