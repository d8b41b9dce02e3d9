import type { Agent } from '@atelier/contract/agents';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { AccountPage } from '../features/accounts/account-page.tsx';
import { ProGate } from '../features/accounts/pro-gate.tsx';
import { AgentForm } from '../features/agents/agent-form.tsx';
import { useAgents } from '../features/agents/agents.api.ts';
import { OwnAgentList } from '../features/agents/own-agent-list.tsx';
import { UpgradeButton } from '../features/billing/upgrade-button.tsx';
import { UseAgentButton } from '../features/explore/use-agent-button.tsx';
import { FavoriteList } from '../features/favorites/favorite-list.tsx';
import { AgentFiles } from '../features/files/agent-files.tsx';
import { ForkNotice } from '../features/forks/fork-notice.tsx';
import { UseFromCode } from '../features/keys/use-from-code.tsx';
import { McpServers } from '../features/mcp/mcp-servers.tsx';
import { useStartChat } from '../features/sessions/use-start-chat.ts';
import { ImportAgent } from '../features/transfer/import-agent.tsx';
import { exportAddress } from '../features/transfer/transfer.api.ts';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { Banner } from '../ui/banner.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { InUnsavedArea, useUnsavedArea } from '../ui/overlay/unsaved.tsx';

export const meta = () => ownPageMeta('My Library');

/** /library: own agents and favorites, for Pro; others see how to get it, and a link to the copy they just made. */
export default function LibraryPage() {
  return (
    <AccountPage title="My Library">
      <Library />
    </AccountPage>
  );
}

function Library() {
  const { me, refresh } = useAuth();
  // Entering the library refetches session and plan. What is shown stays if the server can't be reached.
  useEffect(() => void refresh().catch(() => {}), [refresh]);
  return me?.account.subscriptionStatus === 'pro' ? <Shelves /> : <Gate />;
}

function Shelves() {
  const agents = useAgents();
  const [copied] = useSearchParams();
  const [edited, setEdited] = useState(copied.get('copied'));
  const agent = useKept(
    agents.data?.find((a) => a.id === edited),
    edited,
  );
  const area = useUnsavedArea();
  const edit = (id: string | null) => area.leave(() => setEdited(id));
  return (
    <>
      <section aria-labelledby="mine" className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <h2 id="mine" className="flex-1 font-semibold text-xl">
            My Agents
          </h2>
          <ImportAgent onImported={(imported) => edit(imported.id)} />
          <Button onClick={() => edit('')}>Create Agent</Button>
        </div>
        <OwnAgentList
          editedId={edited}
          onEdit={(own) => edit(own.id === edited ? null : own.id)}
          empty={
            <Link to="/explore" className={buttonClass()}>
              Explore Agents
            </Link>
          }
          renderActions={(own) => <OwnActions agent={own} />}
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
          renderActions={(favorite) => <UseAgentButton agent={favorite} size="sm" onCopied={(copy) => edit(copy.id)} />}
        />
      </section>
    </>
  );
}

/** The agent whose form is open, even after it was deleted elsewhere, so that typed input survives. */
function useKept(found: Agent | undefined, id: string | null): Agent | undefined {
  const [kept, setKept] = useState(found);
  if (found !== undefined && found !== kept) setKept(found);
  return found ?? (kept?.id === id ? kept : undefined);
}

function OwnActions({ agent }: { agent: Agent }) {
  const chat = useStartChat();
  return (
    <>
      <Button size="sm" loading={chat.isPending} onClick={() => chat.start(agent)}>
        Chat
      </Button>
      <Link to={`/memory?${new URLSearchParams({ agentId: agent.id })}`} className={buttonClass('secondary', 'sm')}>
        Memories
      </Link>
      <a href={exportAddress(agent.id)} download className={buttonClass('secondary', 'sm')}>
        Export
      </a>
      <UseFromCode agent={agent} />
    </>
  );
}

/** The form below the list. It scrolls into view when it opens, because the list may be long. */
function EditForm({ agent, onClose }: { agent: Agent | undefined; onClose: () => void }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
    section.current?.focus({ preventScroll: true });
  }, []);
  const title = agent ? `Edit “${agent.name}”` : 'Create Agent';
  return (
    <section
      ref={section}
      aria-label={title}
      tabIndex={-1}
      className="flex scroll-mt-4 flex-col gap-4 rounded-lg border border-edge bg-surface p-5 outline-none"
    >
      <h3 className="font-semibold text-lg">{title}</h3>
      <AgentForm
        agent={agent}
        notice={agent && <ForkNotice agent={agent} />}
        servers={<McpServers />}
        files={agent && <AgentFiles agentId={agent.id} />}
        onCancel={onClose}
        onSaved={onClose}
        onDeleted={onClose}
      />
    </section>
  );
}

function Gate() {
  const [search] = useSearchParams();
  const agents = useAgents();
  const chat = useStartChat();
  const copy = agents.data?.find((agent) => agent.id === search.get('copied'));
  return (
    <ProGate upgrade={<UpgradeButton />}>
      {copy && (
        <Banner tone="success">
          <p>
            Your copy of “{copy.name}” is saved.{' '}
            <Button size="sm" loading={chat.isPending} onClick={() => chat.start(copy)}>
              Chat with {copy.name}
            </Button>
          </p>
        </Banner>
      )}
    </ProGate>
  );
}
