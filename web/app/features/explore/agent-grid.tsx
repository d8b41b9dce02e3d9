import { EXCERPT, excerpt } from '@atelier/contract/agents';
import type { PublicAgent } from '@atelier/contract/explore';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { publicAgentPath } from '../../lib/addresses.ts';
import { errorText } from '../../lib/http.ts';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { gridClass } from '../../ui/list/card-grid.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { ImitationMark, Starters, TagLinks } from './agent-notes.tsx';
import { type ExploreFilters, useExplore, useLiveExplore } from './explore.api.ts';
import { allPublicAgents } from './explore-pages.ts';
import { PublicAgentMenu } from './report-agent.tsx';

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
  if (explore.isLoadingError) {
    const text = `Public agents can’t be shown right now. ${errorText(explore.error)}`;
    return <Failure text={text} onRetry={() => void explore.refetch()} />;
  }
  const agents = allPublicAgents(explore.data?.pages ?? []);
  if (agents.length === 0 && (explore.isPending || explore.isPlaceholderData))
    return <Loading label="Loading public agents" className={gridClass} parts={['h-80', 'h-80', 'h-80', 'h-80']} />;
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

/** How many ways to begin a card has room for. */
const STARTERS = 2;

interface AgentCardProps {
  agent: PublicAgent;
  search: string;
  /** What can be done with it. */
  actions: ReactNode;
}

/** A public agent in the grid. Cards out of sight cost the browser nothing. */
function AgentCard({ agent, search, actions }: AgentCardProps) {
  return (
    <li className="[contain-intrinsic-size:auto_20rem] [content-visibility:auto]">
      <article
        aria-label={agent.name}
        className="flex h-full flex-col gap-3 rounded-lg border bg-raised p-4 focus-within:border-edge"
      >
        <div className="flex items-start gap-3">
          <AgentMark id={agent.id} size={40} />
          <div className="relative min-w-0 flex-1">
            <h2 className="line-clamp-2 font-semibold leading-6">
              <Link
                to={publicAgentPath(agent.creatorId, agent.id, search)}
                className="rounded underline-offset-4 hover:underline touch:after:absolute touch:after:inset-0"
              >
                <SeenName name={agent.name} />
              </Link>
            </h2>
            <p className="flex items-baseline gap-1 text-muted text-sm">
              <span className="min-w-0 truncate">
                by <SeenName name={agent.creatorName} />
              </span>
              ·<span className="max-w-3/5 shrink-0 truncate font-mono text-xs">{agent.model}</span>
            </p>
          </div>
          <PublicAgentMenu agent={agent} />
        </div>
        <ImitationMark imitates={agent.imitates} />
        {agent.description && (
          <p className="text-sm">
            <SeenText text={agent.description} />
          </p>
        )}
        <p className="text-muted text-xs leading-5">
          <SeenText text={excerpt(agent.prompt, EXCERPT.explore)} />
        </p>
        <Starters starters={agent.starters.slice(0, STARTERS)} />
        <TagLinks tags={agent.tags} />
        <div className="mt-auto flex flex-wrap items-center gap-2 pt-1">{actions}</div>
      </article>
    </li>
  );
}
