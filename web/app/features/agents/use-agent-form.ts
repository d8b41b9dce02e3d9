import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { type SubmitEvent, useRef, useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { type AgentFormState, bodyOf, changesOf, checkForm } from './agent-form-state.ts';
import { useSaveAgent } from './agents.api.ts';
import { defaultModel } from './model-choice.ts';
import { useWrong } from './use-form-errors.ts';
import { useStored, useTyped } from './use-typed-agent.ts';

/** The agent form: what is typed, what is wrong with it, and the way to store it. `opened` is the agent as it was then. */
export function useAgentForm(opened: Agent | undefined, onSaved: ((agent: Agent) => void) | undefined) {
  const { me } = useAuth();
  const isPro = me?.account.subscriptionStatus === 'pro';
  const ref = useRef<HTMLFormElement>(null);
  const wrong = useWrong(ref);
  const [asking, setAsking] = useState(false);
  const { agent, gone } = useStored(opened);
  const exists = opened !== undefined && !gone;
  const save = useSaveAgent();
  const typed = useTyped(agent, save.isPending, defaultModel(me));
  const { state, base } = typed;

  const store = () =>
    save.mutate(exists ? { agentId: opened.id, changes: changesOf(base, state, isPro) } : bodyOf(state, isPro), {
      onSuccess: (saved) => {
        toast.success(exists ? SENTENCES.agentUpdated : SENTENCES.agentCreated);
        typed.restart(opened ? saved : undefined);
        onSaved?.(saved);
      },
      onError: wrong.fail,
    });

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    if (wrong.refuse(checkForm(state, isPro))) return;
    if (bodyOf(state, isPro).isPublic && !(exists && base.isPublic)) setAsking(true);
    else store();
  };

  const answer = (publish: boolean) => {
    setAsking(false);
    if (publish) store();
  };

  const change = (part: Partial<AgentFormState>) => {
    typed.change(part);
    wrong.touch(part);
  };

  return { ref, typed, wrong, isPro, asking, exists, gone, saving: save.isPending, submit, answer, change };
}
