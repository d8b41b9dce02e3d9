import type { Agent } from '@atelier/contract/agents';
import { useEffect, useState } from 'react';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import type { MemoryFilters as Filters } from './memory.api.ts';

const REST_MS = 250;

const KINDS = [
  { value: '', label: 'Anybody' },
  { value: 'person', label: 'You' },
  { value: 'agent', label: 'The agent' },
];

export interface MemoryFiltersProps {
  filters: Filters;
  agents: readonly Agent[] | undefined;
  sessions: readonly { id: string; name: string }[];
  onChange: (change: Partial<Filters>) => void;
}

/** Filters memories by agent, session, speaker, pin and words. */
export function MemoryFilters({ filters, agents, sessions, onChange }: MemoryFiltersProps) {
  const [typed, setTyped] = useState(filters.q);
  useEffect(() => {
    if (typed.trim() === filters.q) return;
    const timer = setTimeout(() => onChange({ q: typed.trim() }), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, filters.q, onChange]);
  return (
    <search className="grid gap-4 sm:grid-cols-2">
      <Field label="Search memories">
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
            onChange={(e) => onChange({ agentId: e.target.value, sessionId: '' })}
            options={[
              { value: '', label: 'All agents' },
              ...(agents ?? []).map((a) => ({ value: a.id, label: a.name })),
            ]}
          />
        )}
      </Field>
      <Field label="Session">
        {(control) => (
          <Select
            {...control}
            value={filters.sessionId}
            onChange={(e) => onChange({ sessionId: e.target.value })}
            options={[{ value: '', label: 'All sessions' }, ...sessions.map((s) => ({ value: s.id, label: s.name }))]}
          />
        )}
      </Field>
      <Field label="Said by">
        {(control) => (
          <Select
            {...control}
            value={filters.kind}
            onChange={(e) => onChange({ kind: e.target.value })}
            options={KINDS}
          />
        )}
      </Field>
      <Checkbox
        label="Pinned only"
        checked={filters.pinned === '1'}
        onChange={(e) => onChange({ pinned: e.target.checked ? '1' : '' })}
      />
    </search>
  );
}
