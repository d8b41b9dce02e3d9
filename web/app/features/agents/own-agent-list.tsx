import { type Agent, EXCERPT, excerpt } from '@atelier/contract/agents';
import type { ReactNode } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { gridClass, NearItem } from '../../ui/list/card-grid.tsx';
import { SearchField } from '../../ui/list/filters.tsx';
import { hasWords } from '../../ui/list/has-words.ts';
import { InPieces } from '../../ui/page/in-pieces.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { AgentDelete } from './agent-delete.tsx';
import { useAgents } from './agents.api.ts';

/** Enough to fill any window: what stands beneath the list comes into sight in its place. */
const SKELETONS = 8;

/** As many as a phone shows: more would take its frame, and those that are near follow in the next ones. */
const AT_ONCE = 4;

/** More than any window shows: the places of hundreds come a frame later. */
const FIRST = 24;

/** Fewer agents are seen at a glance. */
const SEARCHED_FROM = 8;

export interface OwnAgentListProps extends Omit<OwnAgentCardProps, 'agent' | 'isEdited'> {
  /** The agent whose form is open. */
  editedId: string | null;
  /** What is looked for in names, descriptions and tags. */
  words: string;
  onSearch: (words: string) => void;
  /** The action that fills an empty list. */
  empty: ReactNode;
}

interface OwnAgentCardProps {
  agent: Agent;
  isEdited: boolean;
  onEdit: (agent: Agent) => void;
  /** The name of an agent, which opens its chat. A press anywhere on the card that meets nothing else is one on the name. */
  renderName: (agent: Agent) => ReactNode;
  /** What else can be done with an agent. */
  renderMenu: (agent: Agent) => ReactNode;
}

/** The person's own agents, each with an excerpt of its prompt, Edit and Delete. */
export function OwnAgentList({ words, onSearch, empty, editedId, ...card }: OwnAgentListProps) {
  const agents = useAgents();
  const count = useAuth().me?.account.agentsCreated ?? 0;
  const places = Array.from({ length: Math.min(Math.max(count, 1), SKELETONS) }, () => 'h-44');
  const skeleton = <Loading label="Loading your agents" className={gridClass} parts={places} />;
  if (agents.isPending) {
    return (
      <>
        {count >= SEARCHED_FROM && <Skeleton className="h-16 max-w-sm" />}
        {skeleton}
      </>
    );
  }
  if (!agents.data) return <LoadFailure of={agents} />;
  if (agents.data.length === 0) return <EmptyState title="You have no agents yet." action={empty} />;
  const matches = agents.data.filter(({ name, description, tags }) =>
    hasWords([name, description, ...tags].join(' '), words),
  );
  const cards = matches.map((agent, i) => (
    <NearItem key={agent.id} isWanted={i < AT_ONCE || agent.id === editedId} reserved="min-h-44">
      <OwnAgentCard agent={agent} isEdited={agent.id === editedId} {...card} />
    </NearItem>
  ));
  return (
    <>
      {(agents.data.length >= SEARCHED_FROM || words !== '') && (
        <search className="max-w-sm">
          <SearchField label="Search my agents" words={words} onChange={onSearch} />
        </search>
      )}
      {matches.length === 0 && (
        <EmptyState
          title={`None of your agents has “${words}” in its name, description or tags.`}
          action={<Button onClick={() => onSearch('')}>Show all my agents</Button>}
        />
      )}
      <InPieces fallback={skeleton}>
        <ul aria-label="My agents" className={gridClass}>
          {cards.slice(0, FIRST)}
          <InPieces fallback={null}>{cards.slice(FIRST)}</InPieces>
        </ul>
      </InPieces>
    </>
  );
}

function OwnAgentCard(props: OwnAgentCardProps) {
  const { agent, isEdited, onEdit, renderName, renderMenu } = props;
  return (
    <article
      aria-label={agent.name}
      className={classes(
        'relative flex h-full flex-col gap-3 rounded-lg border bg-raised p-4 hover:border-edge',
        isEdited && 'border-edge',
      )}
    >
      <AgentSummary agent={agent} name={renderName(agent)} />
      <div className="relative mt-auto flex items-center gap-2 self-start">
        <Button size="sm" aria-expanded={isEdited} onClick={() => onEdit(agent)}>
          Edit
        </Button>
        <AgentDelete agent={agent} size="sm" />
        {renderMenu(agent)}
      </div>
    </article>
  );
}

function AgentSummary({ agent, name }: { agent: Agent; name: ReactNode }) {
  const { isPublic, favoriteCount, forkedFrom, unpublishedReason } = agent;
  return (
    <div className="flex items-start gap-3">
      <AgentMark id={agent.id} size={40} />
      <div className="min-w-0 flex-1">
        <h3 className="font-semibold">{name}</h3>
        {agent.description && (
          <p className="text-sm">
            <SeenText text={agent.description} />
          </p>
        )}
        <p className={agent.description ? 'text-muted text-sm' : 'text-sm'}>
          <SeenText text={excerpt(agent.prompt, EXCERPT.library)} />
        </p>
        {unpublishedReason !== null && (
          <p className="mt-1 text-sm text-warning [overflow-wrap:anywhere]">
            Made private by the operator: {unpublishedReason}
          </p>
        )}
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
