import type { Agent } from '@atelier/contract/agents';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { AgentForm } from '../../features/agents/agent-form.tsx';
import { readOpenAgent } from '../../features/agents/agent-left-open.ts';
import { useAgents } from '../../features/agents/agents.api.ts';
import { OwnAgentList } from '../../features/agents/own-agent-list.tsx';
import { ImitationMark } from '../../features/explore/agent-notes.tsx';
import { FavoriteList } from '../../features/favorites/favorite-list.tsx';
import { AgentFiles } from '../../features/files/agent-files.tsx';
import { ForkNotice } from '../../features/forks/fork-notice.tsx';
import { UseFromCode } from '../../features/keys/use-from-code.tsx';
import { McpServers } from '../../features/mcp/mcp-servers.tsx';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { ImportAgent } from '../../features/transfer/import-agent.tsx';
import { exportAddress } from '../../features/transfer/transfer.api.ts';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { saveFrom } from '../../lib/save-from.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { focusFirstField } from '../../ui/focus/first-field.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Code, Download, Ellipsis, Layers, MessageSquareText } from '../../ui/icons/lucide.ts';
import { useFilters } from '../../ui/list/use-filters.ts';
import { useLatest } from '../../ui/list/use-latest.ts';
import { Menu } from '../../ui/overlay/menu.tsx';
import { InUnsavedArea, useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { UseAndTry } from '../explore-parts/use-and-try.tsx';
import { CopiedNotice } from './copied-notice.tsx';

/** Own agents with their form, and favorites. */
export function Shelves() {
  const agents = useAgents();
  const { filters, change } = useFilters(['q', 'edit']);
  const [inCode, setInCode] = useState<Agent>();
  const [openAgent] = useState(readOpenAgent);
  const [edited, setEdited] = useState(openAgent === undefined ? null : (openAgent?.id ?? ''));
  const agent = useOpenAgent(
    agents.data?.find((a) => a.id === edited),
    edited,
    openAgent ?? undefined,
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
          empty={<ButtonLink to="/explore">Explore Agents</ButtonLink>}
          renderName={(own) => <OwnName agent={own} />}
          renderMenu={(own) => <OwnMenu agent={own} onCode={setInCode} />}
        />
        {(agent || edited === '') && (
          <InUnsavedArea value={area}>
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

/** The agent whose form is open, even after it was deleted elsewhere, so that typed input survives; `openBefore` was open before. */
function useOpenAgent(agent: Agent | undefined, id: string | null, openBefore: Agent | undefined): Agent | undefined {
  const [lastAgent, setLastAgent] = useState(agent ?? openBefore);
  if (agent !== undefined && agent !== lastAgent) setLastAgent(agent);
  return agent ?? (lastAgent?.id === id ? lastAgent : undefined);
}

/** Opens what the address names, also when one is here already. */
function useWanted(id: string, open: (id: string) => void) {
  const latest = useLatest(open);
  useEffect(() => {
    if (id !== '') latest.current(id);
  }, [id, latest]);
}

/** The form below the list, focused and scrolled into view. A new agent's chat opens when it is saved. */
function EditForm({ agent, onClose }: { agent: Agent | undefined; onClose: () => void }) {
  const chat = useStartChat();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    focusFirstField(section.current);
    section.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, []);
  const title = agent ? `Edit “${agent.name}”` : 'Create Agent';
  return (
    <section
      ref={section}
      aria-label={title}
      className="flex max-w-3xl scroll-mt-4 flex-col gap-4 rounded-lg border border-edge bg-raised p-5 pb-4"
    >
      <h3 className="font-semibold text-lg">{title}</h3>
      <AgentForm
        agent={agent}
        notice={agent && <ForkNotice agent={agent} />}
        servers={<McpServers />}
        files={agent && <AgentFiles agentId={agent.id} />}
        onCancel={onClose}
        onSaved={(saved) => {
          onClose();
          if (!agent) chat.open(saved);
        }}
        onDeleted={onClose}
      />
    </section>
  );
}

/** The name of one’s own agent, which opens a chat with it; the whole card is its button. */
function OwnName({ agent }: { agent: Agent }) {
  const chat = useStartChat();
  return (
    <button
      type="button"
      onClick={() => chat.start(agent)}
      className="rounded text-left underline-offset-4 after:absolute after:inset-0 after:rounded-lg hover:underline"
    >
      <span className="sr-only">Chat with </span>
      <SeenName name={agent.name} />
      <MessageSquareText className="ml-2 inline size-4 text-muted" />
    </button>
  );
}

/** What else can be done with one’s own agent. */
function OwnMenu({ agent, onCode }: { agent: Agent; onCode: (agent: Agent) => void }) {
  const navigate = useNavigate();
  const items = [
    {
      id: 'memories',
      label: 'Memories',
      Icon: Layers,
      run: () => void navigate(`/memory?${new URLSearchParams({ agentId: agent.id })}`),
    },
    { id: 'export', label: 'Export', Icon: Download, run: () => saveFrom(exportAddress(agent.id)) },
    { id: 'code', label: 'Use from code', Icon: Code, run: () => onCode(agent) },
  ];
  return (
    <Menu trigger={<IconButton size="sm" label={`More for ${agent.name}`} Icon={Ellipsis} />} groups={[{ items }]} />
  );
}
