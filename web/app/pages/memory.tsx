import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { AccountPage } from '../features/accounts/account-page.tsx';
import { ProGate } from '../features/accounts/pro-gate.tsx';
import { useAgents } from '../features/agents/agents.api.ts';
import { UpgradeButton } from '../features/billing/upgrade-button.tsx';
import { EmbeddingProgress } from '../features/memory/embedding-progress.tsx';
import type { MemoryFilters as Filters } from '../features/memory/memory.api.ts';
import { MemoryFilters } from '../features/memory/memory-filters.tsx';
import { MemoryList } from '../features/memory/memory-list.tsx';
import { useSessions } from '../features/sessions/sessions.api.ts';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';

export const meta = () => ownPageMeta('Memory');

/** /memory: everything the person's agents remember, for Pro. */
export default function MemoryPage() {
  return (
    <AccountPage title="Memory">
      <Memory />
    </AccountPage>
  );
}

function Memory() {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  if (isPro) return <Shelf />;
  return <ProGate upgrade={<UpgradeButton />} />;
}

const NAMES = ['agentId', 'sessionId', 'kind', 'pinned', 'q'] as const;

function Shelf() {
  const [search, setSearch] = useSearchParams();
  const agents = useAgents();
  const sessions = useSessions();
  const read = (name: (typeof NAMES)[number]) => search.get(name) ?? '';
  const filters: Filters = {
    agentId: read('agentId'),
    sessionId: read('sessionId'),
    kind: read('kind'),
    pinned: read('pinned'),
    q: read('q'),
  };
  const change = useCallback(
    (part: Partial<Filters>) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(part)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  const all = sessions.data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <>
      <MemoryFilters
        filters={filters}
        agents={agents.data}
        sessions={all.filter((s) => filters.agentId === '' || s.agentId === filters.agentId)}
        onChange={change}
      />
      <EmbeddingProgress />
      <MemoryList filters={filters} />
    </>
  );
}
