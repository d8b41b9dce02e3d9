import type { PublicAgent } from '@atelier/contract/explore';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureBanner } from '../../ui/failure.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AgentCard } from './agent-card.tsx';
import { useExplore, useLiveExplore } from './explore.api.ts';
import { allPublicAgents } from './explore-pages.ts';

const gridClass = 'grid grid-cols-1 gap-4 sm:grid-cols-2 2xl:grid-cols-3';

export interface AgentGridProps {
  tag: string;
  /** The address's own search part, which the links to single agents keep. */
  search: string;
  renderActions: (agent: PublicAgent) => ReactNode;
  /** The action that fills the list while there is nothing in it. */
  empty: ReactNode;
}

/** The live grid of public agents; more come as its end comes into sight. */
export function AgentGrid({ tag, search, renderActions, empty }: AgentGridProps) {
  const explore = useExplore(tag);
  useLiveExplore(tag);
  if (explore.isPending) return <GridSkeleton />;
  if (!explore.data) {
    return <FailureBanner text="Public agents can’t be shown right now." onRetry={() => void explore.refetch()} />;
  }
  const agents = allPublicAgents(explore.data.pages);
  if (agents.length === 0) return <EmptyState title={emptySentence(tag)} action={empty} />;
  return (
    <>
      <ul aria-label="Public agents" className={gridClass}>
        {agents.map((agent) => (
          <AgentCard
            key={`${agent.creatorId}/${agent.id}`}
            agent={agent}
            search={search}
            actions={renderActions(agent)}
          />
        ))}
      </ul>
      <LoadMore list={explore} />
    </>
  );
}

function emptySentence(tag: string): string {
  return tag === '' ? 'Nobody has published an agent yet.' : `No public agent has the tag #${tag}.`;
}

function GridSkeleton() {
  return (
    <div role="status" className={gridClass}>
      <span className="sr-only">Loading public agents</span>
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} className="h-56" />
      ))}
    </div>
  );
}
