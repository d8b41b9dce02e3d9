import type { Agent } from '@atelier/contract/agents';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ChoiceField, SearchField } from '../../ui/list/filters.tsx';
import type { MemoryFilters as Filters } from './memory.api.ts';

const SPEAKERS = [
  { id: 'person', name: 'You' },
  { id: 'agent', name: 'The agent' },
];

export interface MemoryFiltersProps {
  filters: Filters;
  agents: readonly Agent[];
  sessions: readonly { id: string; name: string }[];
  onChange: (change: Partial<Filters>) => void;
}

/** Filters memories by agent, session, speaker, pin and words. */
export function MemoryFilters({ filters, agents, sessions, onChange }: MemoryFiltersProps) {
  return (
    <search className="grid grid-cols-2 items-end gap-4">
      <div className="col-span-2 sm:col-span-1">
        <SearchField label="Search memories" words={filters.q} onChange={(q) => onChange({ q })} />
      </div>
      <ChoiceField
        label="Agent"
        all="All agents"
        choices={agents}
        chosen={filters.agentId}
        onChange={(agentId) => onChange({ agentId, sessionId: '' })}
      />
      <ChoiceField
        label="Session"
        all="All sessions"
        choices={sessions}
        chosen={filters.sessionId}
        onChange={(sessionId) => onChange({ sessionId })}
      />
      <ChoiceField
        label="Said by"
        all="Anybody"
        choices={SPEAKERS}
        chosen={filters.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <Checkbox
        label="Pinned only"
        className="max-sm:pb-2.5"
        checked={filters.pinned === '1'}
        onChange={(e) => onChange({ pinned: e.target.checked ? '1' : '' })}
      />
    </search>
  );
}
