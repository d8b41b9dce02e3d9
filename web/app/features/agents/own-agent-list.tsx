import { type Agent, EXCERPT, excerpt } from '@atelier/contract/agents';
import type { ReactNode } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { errorText } from '../../lib/http.ts';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NearItem } from '../../ui/list/near-item.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AgentDelete } from './agent-delete.tsx';
import { useAgents } from './agents.api.ts';

/** Enough to fill any window: what stands beneath the list comes into sight in its place. */
const SKELETONS = 8;

export interface OwnAgentListProps {
  /** The agent whose form is open. */
  editedId: string | null;
  onEdit: (agent: Agent) => void;
  /** What else can be done with an agent. */
  renderActions: (agent: Agent) => ReactNode;
  /** The action that fills an empty list. */
  empty: ReactNode;
}

/** The person's own agents, each with an excerpt of its prompt, Edit and Delete. */
export function OwnAgentList({ editedId, onEdit, renderActions, empty }: OwnAgentListProps) {
  const agents = useAgents();
  const count = useAuth().me?.account.agentsCreated ?? 0;
  if (agents.isPending) {
    return (
      <div role="status" className="flex flex-col gap-3">
        <span className="sr-only">Loading your agents</span>
        {Array.from({ length: Math.min(Math.max(count, 1), SKELETONS) }, (_, i) => `${i}`).map((key) => (
          <Skeleton key={key} className="h-30 touch:h-56" />
        ))}
      </div>
    );
  }
  if (!agents.data) {
    return (
      <EmptyState
        title={errorText(agents.error)}
        action={<Button onClick={() => void agents.refetch()}>Try again</Button>}
      />
    );
  }
  if (agents.data.length === 0) return <EmptyState title="You have no agents yet." action={empty} />;
  return (
    <ul aria-label="My agents" className="flex flex-col gap-3">
      {agents.data.map((agent, i) => (
        <NearItem key={agent.id} isWanted={i < SKELETONS || agent.id === editedId} reserved="min-h-30 touch:min-h-56">
          <article
            aria-label={agent.name}
            className={`flex flex-col gap-3 rounded-lg border bg-raised p-4 ${agent.id === editedId ? 'border-edge' : ''}`}
          >
            <AgentSummary agent={agent} />
            <div className="flex flex-wrap items-center gap-2">
              <Button size="sm" aria-expanded={agent.id === editedId} onClick={() => onEdit(agent)}>
                Edit
              </Button>
              {renderActions(agent)}
              <AgentDelete agent={agent} size="sm" />
            </div>
          </article>
        </NearItem>
      ))}
    </ul>
  );
}

function AgentSummary({ agent }: { agent: Agent }) {
  const { isPublic, favoriteCount, forkedFrom } = agent;
  return (
    <div className="flex items-start gap-3">
      <AgentMark id={agent.id} size={40} />
      <div className="min-w-0 flex-1">
        <h3 className="font-semibold">
          <SeenName name={agent.name} />
        </h3>
        {agent.description && (
          <p className="text-sm">
            <SeenText text={agent.description} />
          </p>
        )}
        <p className={agent.description ? 'text-muted text-sm' : 'text-sm'}>
          <SeenText text={excerpt(agent.prompt, EXCERPT.library)} />
        </p>
        {(isPublic || forkedFrom) && (
          <p className="mt-1 text-muted text-sm">
            {isPublic && `public · ${favoriteCount} ${favoriteCount === 1 ? 'favorite' : 'favorites'}`}
            {isPublic && forkedFrom && ' · '}
            {forkedFrom && (
              <>
                copy of “<SeenName name={forkedFrom.name} />”
              </>
            )}
          </p>
        )}
      </div>
    </div>
  );
}
