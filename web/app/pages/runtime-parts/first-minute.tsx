import type { Me } from '@atelier/contract/accounts';
import { DEFAULT_MODEL } from '@atelier/contract/agents';
import type { ReadyAgent } from '@atelier/contract/agents/ready-agents';
import { useState } from 'react';
import { useSaveAgent } from '../../features/agents/agents.api.ts';
import { defaultModel } from '../../features/agents/model-choice.ts';
import { ReadyAgents } from '../../features/agents/ready-agents.tsx';
import { useStartChat } from '../../features/sessions/use-start-chat.ts';
import { useAuth } from '../../lib/auth.tsx';
import { toastError } from '../../lib/toast-error.ts';
import { useFirstMessage } from './use-first-message.ts';

/** Ready agents have the product's own model; where the operator has taken it away, they get the one that stands in for it. */
const withModel = (agent: ReadyAgent['agent'], me: Me | null) =>
  me?.excludedModels.includes(DEFAULT_MODEL) ? { ...agent, model: defaultModel(me) } : agent;

/** Three agents to start with; the session opens with the first answer already running. */
export default function FirstMinute() {
  const save = useSaveAgent();
  const { start, say, starting } = useFirstMessage();
  const [name, setName] = useState<string>();
  const { mayStart } = useStartChat();
  const { me } = useAuth();
  const begin = ({ agent, opener }: ReadyAgent) => {
    if (!mayStart()) return;
    setName(agent.name);
    start(
      async () => (await save.mutateAsync(withModel(agent, me))).id,
      (session) => say(session, opener),
    ).catch(toastError);
  };
  return <ReadyAgents startingName={starting ? name : undefined} onStart={begin} />;
}
