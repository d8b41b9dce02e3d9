import type { ReadyAgent } from '@atelier/contract/agents/ready-agents';
import { useState } from 'react';
import { useSaveAgent } from '../../features/agents/agents.api.ts';
import { ReadyAgents } from '../../features/agents/ready-agents.tsx';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { toastError } from '../../lib/toast-error.ts';
import { useFirstMessage } from './use-first-message.ts';

/** Three agents to start with; the session opens with the first answer already running. */
export default function FirstMinute() {
  const save = useSaveAgent();
  const { start, say, starting } = useFirstMessage();
  const [name, setName] = useState<string>();
  const { mayStart } = useStartChat();
  const begin = ({ agent, opener }: ReadyAgent) => {
    if (!mayStart()) return;
    setName(agent.name);
    start(
      async () => (await save.mutateAsync(agent)).id,
      (session) => say(session, opener),
    ).catch(toastError);
  };
  return <ReadyAgents startingName={starting ? name : undefined} onStart={begin} />;
}
