import type { Agent } from '@atelier/contract/agents';
import { useEffect, useState } from 'react';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import type { FactFilters as Filters } from './facts.api.ts';

const REST_MS = 250;

export interface FactFiltersProps {
  filters: Filters;
  agents: readonly Agent[] | undefined;
  onChange: (change: Partial<Filters>) => void;
}

/** Filters facts by words and agent. */
export function FactFilters({ filters, agents, onChange }: FactFiltersProps) {
  const [typed, setTyped] = useState(filters.q);
  useEffect(() => {
    if (typed.trim() === filters.q) return;
    const timer = setTimeout(() => onChange({ q: typed.trim() }), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, filters.q, onChange]);
  return (
    <search className="grid gap-4 sm:grid-cols-2">
      <Field label="Search facts">
        {(control) => (
          <TextInput
            {...control}
            type="search"
            value={typed}
            maxLength={500}
            onChange={(e) => setTyped(e.target.value)}
          />
        )}
      </Field>
      <Field label="Agent">
        {(control) => (
          <Select
            {...control}
            value={filters.agentId}
            onChange={(e) => onChange({ agentId: e.target.value })}
            options={[
              { value: '', label: 'All agents' },
              ...(agents ?? []).map((a) => ({ value: a.id, label: a.name })),
            ]}
          />
        )}
      </Field>
    </search>
  );
}
