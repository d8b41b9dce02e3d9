import type { Fact } from '@atelier/contract/facts';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { errorText } from '../../lib/http.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FactRow } from './fact-row.tsx';
import { type FactFilters, factsExport, useFacts } from './facts.api.ts';
import { type AgentFacts, groupFacts } from './group-facts.ts';

/** The filtered facts, by agent and by what they are about. */
export function FactList({ filters }: { filters: FactFilters }) {
  const facts = useFacts(filters);
  const pen = usePen();
  const list = useRef<HTMLElement>(null);
  if (facts.isPending) return <ListSkeleton />;
  if (!facts.data) {
    const again = <Button onClick={() => void facts.refetch()}>Try again</Button>;
    return <EmptyState title={errorText(facts.error)} action={again} />;
  }
  const shown = pen.keep(facts.data.facts);
  const standing = shown.filter(({ replacedBy }) => replacedBy === undefined).length;
  if (shown.length === 0) return <NoFacts filtered={filters.agentId !== '' || filters.q !== ''} />;
  return (
    <section ref={list} tabIndex={-1} aria-label="Facts" className="flex flex-col gap-6">
      <div className="flex items-center justify-between gap-3">
        <p role="status" className="text-muted text-sm">
          {standing === 1 ? '1 fact' : `${standing.toLocaleString()} facts`}
          {facts.data.more && ', the newest; search to find older ones'}
        </p>
        <a href={factsExport(filters)} download className={buttonClass('secondary', 'sm')}>
          Export
        </a>
      </div>
      {groupFacts(shown).map((agent) => (
        <OfAgent
          key={agent.agentId}
          agent={agent}
          pen={pen}
          onGone={() => list.current?.focus({ preventScroll: true })}
        />
      ))}
    </section>
  );
}

function OfAgent({ agent, pen, onGone }: { agent: AgentFacts; pen: ReturnType<typeof usePen>; onGone: () => void }) {
  return (
    <section aria-label={agent.agentName} className="flex flex-col gap-4 rounded-lg border bg-raised px-4 py-4">
      <h2 className="flex items-center gap-2 font-semibold">
        <AgentMark id={agent.agentId} size={20} />
        <span className="min-w-0 truncate">{agent.agentName}</span>
      </h2>
      {agent.subjects.map(({ about, facts }) => (
        <section key={about} aria-label={about} className="flex flex-col">
          <h3 className="font-semibold text-muted text-sm">{about}</h3>
          <ul className="flex flex-col divide-y">
            {facts.map((standing) => (
              <FactRow
                key={standing.fact.id}
                standing={standing}
                onGone={onGone}
                editing={standing.fact.id === pen.editingId}
                onEditing={(on) => pen.set(on ? standing.fact : undefined)}
              />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

/** The fact being corrected: it stays in the list, whatever the filters say or others change. */
function usePen() {
  const [editing, set] = useState<Fact>();
  const keep = (found: Fact[]) =>
    editing === undefined || found.some(({ id }) => id === editing.id) ? found : [editing, ...found];
  return { editingId: editing?.id, set, keep };
}

function NoFacts({ filtered }: { filtered: boolean }) {
  if (filtered) return <EmptyState title="No facts match. Remove a filter or try other words." />;
  return (
    <EmptyState
      title="Nothing is known about you yet. When you tell an agent something about yourself, it appears here."
      action={
        <Link to="/runtime" className={buttonClass()}>
          Tell an agent something
        </Link>
      }
    />
  );
}

function ListSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Loading facts</span>
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  );
}
