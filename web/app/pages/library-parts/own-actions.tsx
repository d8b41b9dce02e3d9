import type { Agent } from '@atelier/contract/agents';
import { Link } from 'react-router';
import { UseFromCode } from '../../features/keys/use-from-code.tsx';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { exportAddress } from '../../features/transfer/transfer.api.ts';
import { Button, buttonClass } from '../../ui/button.tsx';

/** What can be done with one’s own agent. */
export function OwnActions({ agent }: { agent: Agent }) {
  const chat = useStartChat();
  return (
    <>
      <Button size="sm" onClick={() => chat.start(agent)}>
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
