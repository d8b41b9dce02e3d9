import type { PublicAgent } from '@atelier/contract/explore';
import type { ReactNode } from 'react';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailureBanner } from '../../ui/failure.tsx';
import { gridClass } from '../../ui/list/grid-class.ts';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AgentCard } from './agent-card.tsx';
import { type ExploreFilters, useExplore, useLiveExplore } from './explore.api.ts';
import { allPublicAgents } from './explore-pages.ts';

export interface AgentGridProps {
  filters: ExploreFilters;
  /** The address's own search part, which the links to single agents keep. */
  search: string;
  renderActions: (agent: PublicAgent) => ReactNode;
  /** The action that fills the list while there is nothing in it. */
  empty: ReactNode;
}

/** The live grid of public agents; more come as its end comes into sight. */
export function AgentGrid({ filters, search, renderActions, empty }: AgentGridProps) {
  const explore = useExplore(filters);
  useLiveExplore(filters);
  if (explore.isError && !explore.data) {
    return <FailureBanner text="Public agents can’t be shown right now." onRetry={() => void explore.refetch()} />;
  }
  const agents = allPublicAgents(explore.data?.pages ?? []);
  if (agents.length === 0 && (explore.isPending || explore.isPlaceholderData)) return <GridSkeleton />;
  if (agents.length === 0) return <EmptyState title={emptySentence(filters)} action={empty} />;
  return (
    <>
      <ul
        aria-label="Public agents"
        aria-busy={explore.isPlaceholderData}
        className={classes(gridClass, explore.isPlaceholderData && 'opacity-60')}
      >
        {agents.map((agent) => (
          <AgentCard
            key={`${agent.creatorId}/${agent.id}`}
            agent={agent}
            search={search}
            actions={renderActions(agent)}
          />
        ))}
      </ul>
      {!explore.isPlaceholderData && <LoadMore list={explore} />}
    </>
  );
}

function emptySentence({ q, tag }: ExploreFilters): string {
  if (q !== '') return `No public agent${tag && ` with the tag #${tag}`} has “${q}” in its name or description.`;
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
