import type { Agent } from '@atelier/contract/agents';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { agentLeftOpen } from '../../features/agents/agent-left-open.ts';
import { useAgents } from '../../features/agents/agents.api.ts';
import { OwnAgentList } from '../../features/agents/own-agent-list.tsx';
import { ImitationMark } from '../../features/explore/imitation-mark.tsx';
import { FavoriteList } from '../../features/favorites/favorite-list.tsx';
import { UseFromCode } from '../../features/keys/use-from-code.tsx';
import { ImportAgent } from '../../features/transfer/import-agent.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { useFilters } from '../../ui/list/use-filters.ts';
import { useLatest } from '../../ui/list/use-latest.ts';
import { InUnsavedArea, useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { UseAndTry } from '../explore-parts/use-and-try.tsx';
import { CopiedNotice } from './copied-notice.tsx';
import { EditForm } from './edit-form.tsx';
import { OwnMenu, OwnName } from './own-actions.tsx';

/** Own agents with their form, and favorites. */
export function Shelves() {
  const agents = useAgents();
  const { filters, change } = useFilters(['q', 'edit']);
  const [inCode, setInCode] = useState<Agent>();
  const [left] = useState(agentLeftOpen);
  const [edited, setEdited] = useState(left === undefined ? null : (left?.id ?? ''));
  const agent = useKept(
    agents.data?.find((a) => a.id === edited),
    edited,
    left ?? undefined,
  );
  const area = useUnsavedArea();
  const edit = (id: string | null) => area.leave(() => setEdited(id));
  useWanted(filters.edit, (id) => {
    change({ edit: '' });
    edit(id);
  });
  return (
    <>
      <CopiedNotice />
      <section aria-labelledby="mine" className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <h2 id="mine" className="flex-1 font-semibold text-xl max-sm:basis-full">
            My Agents
          </h2>
          <ImportAgent onImported={(imported) => edit(imported.id)} />
          <Button onClick={() => edit('')}>Create Agent</Button>
        </div>
        <OwnAgentList
          editedId={edited}
          onEdit={(own) => edit(own.id === edited ? null : own.id)}
          words={filters.q}
          onSearch={(q) => change({ q })}
          empty={
            <Link to="/explore" className={buttonClass()}>
              Explore Agents
            </Link>
          }
          renderName={(own) => <OwnName agent={own} />}
          renderMenu={(own) => <OwnMenu agent={own} onCode={setInCode} />}
        />
        {(agent || edited === '') && (
          <InUnsavedArea area={area}>
            <EditForm key={edited} agent={agent} onClose={() => setEdited(null)} />
          </InUnsavedArea>
        )}
      </section>
      <section aria-labelledby="favorites" className="flex flex-col gap-4">
        <h2 id="favorites" className="font-semibold text-xl">
          Favorited Agents
        </h2>
        <FavoriteList
          renderMark={(favorite) => <ImitationMark imitates={favorite.imitates} />}
          renderActions={(favorite) => <UseAndTry agent={favorite} size="sm" />}
        />
      </section>
      {inCode && <UseFromCode agent={inCode} onClose={() => setInCode(undefined)} />}
    </>
  );
}

/** The agent whose form is open, even after it was deleted elsewhere, so that typed input survives; `left` was open before. */
function useKept(found: Agent | undefined, id: string | null, left: Agent | undefined): Agent | undefined {
  const [kept, setKept] = useState(found ?? left);
  if (found !== undefined && found !== kept) setKept(found);
  return found ?? (kept?.id === id ? kept : undefined);
}

/** Opens what the address names, also when one is here already. */
function useWanted(id: string, open: (id: string) => void) {
  const latest = useLatest(open);
  useEffect(() => {
    if (id !== '') latest.current(id);
  }, [id, latest]);
}
