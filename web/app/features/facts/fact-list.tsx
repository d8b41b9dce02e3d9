import type { Agent } from '@atelier/contract/agents';
import type { Fact } from '@atelier/contract/facts';
import { useRef, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { toastError } from '../../lib/toast-error.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { formatNumber } from '../../ui/formats.ts';
import { ChoiceField, SearchField } from '../../ui/list/filters.tsx';
import { ListSkeleton, outdatedClass } from '../../ui/list/list-skeleton.tsx';
import { type Pen, usePen } from '../../ui/list/use-pen.ts';
import { InUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { readOpenFact } from './fact-edit.tsx';
import { FactRow } from './fact-row.tsx';
import { type FactFilters as Filters, factsExport, useFactSettings, useFacts, useSwitchFacts } from './facts.api.ts';
import { type AgentFacts, groupFacts, subjectName } from './group-facts.ts';

interface FactFiltersProps {
  filters: Filters;
  agents: readonly Agent[];
  onChange: (change: Partial<Filters>) => void;
}

/** Filters facts by words and agent. */
export function FactFilters({ filters, agents, onChange }: FactFiltersProps) {
  return (
    <search className="grid gap-4 sm:grid-cols-2">
      <SearchField label="Search facts" words={filters.q} onChange={(q) => onChange({ q })} />
      <ChoiceField
        label="Agent"
        all="All agents"
        choices={agents}
        chosen={filters.agentId}
        onChange={(agentId) => onChange({ agentId })}
      />
    </search>
  );
}

/** The filtered facts, by agent and by what they are about. */
export function FactList({ filters }: { filters: Filters }) {
  const facts = useFacts(filters);
  const pen = usePen(facts.data?.facts ?? [], readOpenFact);
  const list = useRef<HTMLElement>(null);
  if (facts.isPending) return <ListSkeleton label="Loading facts" bar />;
  // The switch above was probably refused too.
  if (!facts.data) return <Failure text={errorText(facts.error)} onRetry={() => refresh('memories')} />;
  const standing = pen.shown.filter(({ replacedBy }) => replacedBy === undefined).length;
  if (pen.shown.length === 0) return <NoFacts filtered={filters.agentId !== '' || filters.q !== ''} />;
  return (
    <section
      ref={list}
      tabIndex={-1}
      aria-label="Facts"
      className={classes('flex flex-col gap-6', facts.isPlaceholderData && outdatedClass)}
    >
      <div className="flex items-center justify-between gap-3">
        <p role="status" className="text-muted text-sm">
          {standing === 1 ? '1 fact' : `${formatNumber(standing)} facts`}
          {facts.data.more && ', the newest; search to find older ones'}
        </p>
        <a href={factsExport(filters)} download className={buttonClass('secondary', 'sm')}>
          Export
        </a>
      </div>
      <InUnsavedArea value={pen.area}>
        {groupFacts(pen.shown).map((agent) => (
          <OfAgent
            key={agent.agentId}
            agent={agent}
            pen={pen}
            onGone={() => list.current?.focus({ preventScroll: true })}
          />
        ))}
      </InUnsavedArea>
    </section>
  );
}

function OfAgent({ agent, pen, onGone }: { agent: AgentFacts; pen: Pen<Fact>; onGone: () => void }) {
  return (
    <section aria-label={agent.agentName} className="flex flex-col gap-4 rounded-lg border bg-raised px-4 py-4">
      <h2 className="flex items-center gap-2 font-semibold">
        <AgentMark id={agent.agentId} size={20} />
        <span className="min-w-0 truncate">{agent.agentName}</span>
      </h2>
      {agent.subjects.map(({ about, facts }) => (
        <section key={about} aria-label={subjectName(about)} className="flex flex-col">
          <h3 className="font-semibold text-muted text-sm">{subjectName(about)}</h3>
          <ul className="flex flex-col divide-y">
            {facts.map((standing) => (
              <FactRow
                key={standing.fact.id}
                standing={standing}
                onGone={onGone}
                editing={standing.fact.id === pen.editingId}
                onEditing={(on) => pen.edit(on ? standing.fact.id : null)}
              />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

function NoFacts({ filtered }: { filtered: boolean }) {
  const settings = useFactSettings().data;
  if (filtered) return <EmptyState title="No facts match. Remove a filter or try other words." />;
  if (settings?.installation === 'off') {
    return <EmptyState title="Nothing is known about you. This server keeps no facts." />;
  }
  if (settings?.distil === false) {
    return <EmptyState title="Nothing is known about you. Switch on “Keep facts from what I say” to change that." />;
  }
  return (
    <EmptyState
      title="Nothing is known about you yet. When you tell an agent something about yourself, it appears here."
      action={<ButtonLink to="/runtime">Tell an agent something</ButtonLink>}
    />
  );
}

const HINTS = {
  model: 'After an answer, the model is asked once more which lasting facts you stated. Only your own words are sent.',
  rules: 'Found by rules on this server, in your own words only.',
  off: 'The operator of this server has switched it off.',
};

/** Whether new facts are kept for this account. */
export function FactSwitch() {
  const { data, isError } = useFactSettings();
  const change = useSwitchFacts();
  const [wanted, setWanted] = useState<boolean>();
  const isOff = data?.installation === 'off';
  // A blank line keeps the place of the hint.
  const unknown = isError ? 'This setting could not be loaded.' : '\u00A0';
  return (
    <Checkbox
      label="Keep facts from what I say"
      hint={data === undefined ? unknown : HINTS[data.installation]}
      checked={!isOff && (wanted ?? data?.distil ?? true)}
      disabled={data === undefined || isOff}
      onChange={(e) => {
        setWanted(e.target.checked);
        change.mutate(e.target.checked, {
          onError: toastError,
          onSettled: () => setWanted(undefined),
        });
      }}
    />
  );
}
