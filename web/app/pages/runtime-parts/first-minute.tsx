import type { ReadyAgent } from '@atelier/contract/agents/ready-agents';
import { useState } from 'react';
import { useSaveAgent } from '../../features/agents/agents.api.ts';
import { ReadyAgents } from '../../features/agents/ready-agents.tsx';
import { useSendFirst } from '../../features/runs/runs.api.ts';
import { useCreateSession } from '../../features/sessions/sessions.api.ts';
import { useNavigateAfter } from '../../lib/navigate-after.ts';
import { toastError } from '../../lib/toast-error.ts';

/** Three agents to start with; the session opens with the first answer already running. */
export default function FirstMinute() {
  const navigateAfter = useNavigateAfter();
  const save = useSaveAgent();
  const create = useCreateSession();
  const send = useSendFirst();
  const [starting, setStarting] = useState<string>();
  const start = async ({ agent, opener }: ReadyAgent) => {
    setStarting(agent.name);
    const open = navigateAfter();
    try {
      const { id: agentId } = await save.mutateAsync(agent);
      const { id: sessionId } = await create.mutateAsync({ agentId });
      // Even if the question fails to send: the session exists, with its composer.
      await send.mutateAsync({ sessionId, agentId, inputText: opener }).catch(toastError);
      open(`/runtime?sessionId=${sessionId}`, { state: { fresh: true } });
    } catch (error) {
      setStarting(undefined);
      toastError(error);
    }
  };
  return <ReadyAgents startingName={starting} onStart={(ready) => void start(ready)} />;
}
