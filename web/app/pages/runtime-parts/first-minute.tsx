import type { ReadyAgent } from '@atelier/contract/agents/ready-agents';
import { SENTENCES } from '@atelier/contract/errors';
import { useState } from 'react';
import { useSaveAgent } from '../../features/agents/agents.api.ts';
import { ReadyAgents } from '../../features/agents/ready-agents.tsx';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { toastFailure } from '../../lib/toast-error.ts';
import { toast } from '../../ui/overlay/toast.tsx';
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
      async () => {
        const { id } = await save.mutateAsync(agent);
        toast.success(SENTENCES.agentCreated);
        return id;
      },
      (session) => say(session, opener),
    ).catch((error: unknown) => toastFailure(error, SENTENCES.sessionFailed));
  };
  return <ReadyAgents startingName={starting ? name : undefined} onStart={begin} />;
}
