import type { Session, SessionsQuery } from '@atelier/contract/sessions';
import { createShared } from '../../ui/shared-value.ts';

/** Which sessions the list shows. */
export interface SessionView {
  /** `all`, `archived`, or the id of a folder. */
  place: string;
  /** The address of an agent; empty for all of them. */
  agentId: string;
}

/** Everything that is neither archived nor in a folder. */
export const MAIN_VIEW: SessionView = { place: 'all', agentId: '' };

export const isMainView = ({ place, agentId }: SessionView) => place === 'all' && agentId === '';

/** The filters of `GET /api/sessions` that the view stands for. An agent's sessions are shown from every folder. */
export function viewFilters({ place, agentId }: SessionView): Partial<SessionsQuery> {
  if (place === 'archived') return { archived: 'true', ...(agentId === '' ? {} : { agentId }) };
  if (place !== 'all') return { folderId: place, ...(agentId === '' ? {} : { agentId }) };
  return agentId === '' ? { folderId: 'none' } : { agentId };
}

/** Whether the view shows the session. */
export function isInView(view: SessionView, { archived, folderId, agentId }: Session): boolean {
  if (view.agentId !== '' && view.agentId !== agentId) return false;
  if (view.place === 'archived') return archived;
  if (archived) return false;
  if (view.place === 'all') return view.agentId !== '' || folderId === null;
  return folderId === view.place;
}

// Outside of the list, because the palette changes it too, and the phone's drawer forgets what is in it.
const shown = createShared<{ uid: string; view: SessionView }>({ uid: '', view: MAIN_VIEW });

/** Shows these sessions in the person's list. */
export const showSessions = (uid: string, view: SessionView): void => shown.set({ uid, view });

/** What the person's list shows; for somebody else it starts fresh. */
export function useSessionView(uid: string): SessionView {
  const { uid: owner, view } = shown.useValue();
  return owner === uid ? view : MAIN_VIEW;
}
