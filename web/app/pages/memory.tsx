import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ProGate } from '../features/accounts/pro-gate.tsx';
import { useAgents } from '../features/agents/agents.api.ts';
import { UpgradeButton } from '../features/billing/upgrade-button.tsx';
import { FactFilters, FactList, FactSwitch } from '../features/facts/fact-list.tsx';
import { EmbeddingProgress } from '../features/memory/embedding-progress.tsx';
import { MEMORY_FILTERS } from '../features/memory/memory.api.ts';
import { MemoryFilters } from '../features/memory/memory-filters.tsx';
import { MemoryList } from '../features/memory/memory-list.tsx';
import { useSessions } from '../features/sessions/sessions.api.ts';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { useFilters } from '../ui/list/use-filters.ts';
import { AccountPage } from './frame-parts/account-page.tsx';

export const meta = () => ownPageMeta('Memory');

/** /memory: what the person's agents know about them and, in its second view, everything that was said; for Pro. */
export default function MemoryPage() {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  return <AccountPage title="Memory">{isPro ? <Shelf /> : <ProGate upgrade={<UpgradeButton />} />}</AccountPage>;
}

/** The two views, and the way between them. */
function Shelf() {
  const { isSaid, agentId } = useView();
  return (
    <>
      <nav aria-label="Views" className="-mt-2 flex gap-5 border-b">
        <ViewLink to={addressOf('facts', agentId)} current={!isSaid}>
          Facts
        </ViewLink>
        <ViewLink to={addressOf('said', agentId)} current={isSaid}>
          Messages
        </ViewLink>
      </nav>
      {isSaid ? <Messages /> : <Facts />}
    </>
  );
}

function useView() {
  const [search] = useSearchParams();
  return { isSaid: search.get('view') === 'said', agentId: search.get('agentId') ?? '' };
}

function addressOf(view: 'facts' | 'said', agentId: string): string {
  const query = new URLSearchParams({
    ...(view === 'said' ? { view } : {}),
    ...(agentId === '' ? {} : { agentId }),
  });
  return query.size === 0 ? '/memory' : `/memory?${query}`;
}

function ViewLink({ to, current, children }: { to: string; current: boolean; children: ReactNode }) {
  return (
    <Link
      to={to}
      aria-current={current ? 'page' : undefined}
      className="-mb-px inline-flex min-h-10 items-center border-transparent border-b-2 text-muted hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink touch:min-h-11"
    >
      {children}
    </Link>
  );
}

function Facts() {
  const { filters, change } = useFilters(['agentId', 'q']);
  const agents = useAgents();
  return (
    <>
      <FactFilters filters={filters} agents={agents.data ?? []} onChange={change} />
      <FactSwitch />
      <FactList filters={filters} />
    </>
  );
}

function Messages() {
  const { filters, change } = useFilters(MEMORY_FILTERS);
  const agents = useAgents();
  const sessions = useSessions();
  const all = sessions.data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <>
      <MemoryFilters
        filters={filters}
        agents={agents.data ?? []}
        sessions={all.filter((s) => filters.agentId === '' || s.agentId === filters.agentId)}
        onChange={change}
      />
      <EmbeddingProgress />
      <MemoryList filters={filters} />
    </>
  );
}
