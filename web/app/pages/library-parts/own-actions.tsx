import type { Agent } from '@atelier/contract/agents';
import { useNavigate } from 'react-router';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { exportAddress } from '../../features/transfer/transfer.api.ts';
import { SeenName } from '../../lib/names/seen-text.tsx';
import { saveFrom } from '../../lib/save-from.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Code, Download, Ellipsis, Layers, MessageSquareText } from '../../ui/icons/lucide.ts';
import { Menu } from '../../ui/overlay/menu.tsx';

/** The name of one’s own agent, which opens a chat with it; the whole card is its button. */
export function OwnName({ agent }: { agent: Agent }) {
  const chat = useStartChat();
  return (
    <button
      type="button"
      onClick={() => chat.start(agent)}
      className="rounded text-left underline-offset-4 after:absolute after:inset-0 after:rounded-lg hover:underline"
    >
      <span className="sr-only">Chat with </span>
      <SeenName name={agent.name} />
      <MessageSquareText aria-hidden="true" className="ml-2 inline size-4 text-muted" />
    </button>
  );
}

/** What else can be done with one’s own agent. */
export function OwnMenu({ agent, onCode }: { agent: Agent; onCode: (agent: Agent) => void }) {
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
