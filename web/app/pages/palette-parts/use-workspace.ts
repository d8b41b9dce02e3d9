import { useNavigate } from 'react-router';
import { MAIN_VIEW, type SessionView, showSessions } from '../../features/sessions/session-view.ts';
import { useAuth } from '../../lib/auth.tsx';

/** The way to the workspace, and to a part of its session list. */
export function useWorkspace() {
  const navigate = useNavigate();
  const { user } = useAuth();
  const enter = () => (location.pathname === '/runtime' ? undefined : navigate('/runtime'));
  const show = (part: Partial<SessionView>) => {
    showSessions(user?.uid ?? '', { ...MAIN_VIEW, ...part });
    void enter();
  };
  return { enter, show };
}
