import { useAgents } from '../../features/agents/agents.api.ts';
import { FactFilters } from '../../features/facts/fact-filters.tsx';
import { FactList } from '../../features/facts/fact-list.tsx';
import { FactSwitch } from '../../features/facts/fact-switch.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';

/** What is known, to search and correct. */
export function Facts() {
  const { filters, change } = useFilters(['agentId', 'q']);
  const agents = useAgents();
  return (
    <>
      <FactFilters filters={filters} agents={agents.data ?? []} onChange={change} />
      <FactSwitch />
      <FactList filters={filters} />
    </>
  );
}
