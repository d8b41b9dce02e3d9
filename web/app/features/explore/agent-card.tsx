import { EXCERPT, excerpt } from '@atelier/contract/agents';
import type { PublicAgent } from '@atelier/contract/explore';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { publicAgentPath } from '../../lib/addresses.ts';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { ImitationMark } from './imitation-mark.tsx';
import { PublicAgentMenu } from './report-agent.tsx';
import { Starters } from './starters.tsx';
import { TagLinks } from './tag-links.tsx';

/** How many ways to begin a card has room for. */
const STARTERS = 2;

export interface AgentCardProps {
  agent: PublicAgent;
  search: string;
  /** What can be done with it. */
  actions: ReactNode;
}

/** A public agent in the grid. Cards out of sight cost the browser nothing. */
export function AgentCard({ agent, search, actions }: AgentCardProps) {
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
            <p className="truncate text-muted text-sm">
              by <SeenName name={agent.creatorName} /> · <span className="font-mono text-xs">{agent.model}</span>
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
