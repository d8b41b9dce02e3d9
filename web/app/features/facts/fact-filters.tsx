import type { Agent } from '@atelier/contract/agents';
import { ChoiceField, SearchField } from '../../ui/list/filters.tsx';
import type { FactFilters as Filters } from './facts.api.ts';

export interface FactFiltersProps {
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
