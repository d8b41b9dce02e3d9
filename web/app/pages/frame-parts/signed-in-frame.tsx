import { PRODUCT_NAME } from '@atelier/contract/product';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { AccountNav } from '../../features/accounts/account-nav.tsx';
import { useAgents } from '../../features/agents/agents.api.ts';
import { useLastSession } from '../../features/sessions/last-session.ts';
import { sessionQuestion } from '../../features/sessions/session-dialog-store.ts';
import { SessionList } from '../../features/sessions/session-list.tsx';
import { ShareHost } from '../../features/shares/share-host.tsx';
import { useAuth } from '../../lib/auth.tsx';
import { ConnectionNotice } from '../../lib/live/connection-notice.tsx';
import { searchOpen } from '../../lib/search-open.ts';
import { wishFor } from '../../lib/wishes.ts';
import { later } from '../../ui/later.tsx';
import { AppShell } from '../../ui/page/app-shell.tsx';

const SessionDialogs = later(
  (): Promise<{ default: ComponentType<{ open: boolean }> }> => import('../../features/sessions/session-dialogs.tsx'),
);

/** What surrounds every page of a signed-in person: sessions, links, notices, and the dialogs that these open. */
export function SignedInFrame({ header, children }: { header: ReactNode; children: ReactNode }) {
  const isAsking = sessionQuestion.useValue() !== null;
  return (
    <AppShell
      brand={PRODUCT_NAME}
      onSearch={() => searchOpen.set(true)}
      sidebar={<Sidebar />}
      notice={<ConnectionNotice />}
      header={header}
    >
      {children}
      <SessionDialogs open={isAsking} />
      <ShareHost />
    </AppShell>
  );
}

function Sidebar() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const isRuntime = pathname === '/runtime';
  const last = useLastSession(useAuth().user?.uid);
  // Most people never filter; then only a page that needs the agents asks for them.
  const [filters, setFilters] = useState(false);
  const agents = useAgents(filters);
  const startSession = () => {
    wishFor('new-session');
    if (!isRuntime) void navigate('/runtime');
  };
  return (
    <>
      <SessionList
        selectedId={isRuntime ? search.get('sessionId') : null}
        agents={agents.data ?? []}
        onFilter={() => setFilters(true)}
        onNew={startSession}
      />
      <AccountNav runtime={last === undefined || isRuntime ? '/runtime' : `/runtime?sessionId=${last}`} />
    </>
  );
}
