import { useAgents } from '../../features/agents/agents.api.ts';
import { EmbeddingProgress } from '../../features/memory/embedding-progress.tsx';
import { MEMORY_FILTERS } from '../../features/memory/memory.api.ts';
import { MemoryFilters } from '../../features/memory/memory-filters.tsx';
import { MemoryList } from '../../features/memory/memory-list.tsx';
import { useSessions } from '../../features/sessions/sessions.api.ts';
import { useFilters } from '../../ui/list/use-filters.ts';

/** Everything said, to search and forget. */
export function Said() {
  const { filters, change } = useFilters(MEMORY_FILTERS);
  const agents = useAgents();
  const sessions = useSessions();
  const all = sessions.data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <>
      <MemoryFilters
        filters={filters}
        agents={agents.data ?? []}
        sessions={all.filter((s) => filters.agentId === '' || s.agentId === filters.agentId)}
        onChange={change}
      />
      <EmbeddingProgress />
      <MemoryList filters={filters} />
    </>
  );
}
