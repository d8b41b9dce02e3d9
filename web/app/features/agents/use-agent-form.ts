import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { type RefObject, type SubmitEvent, useRef, useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { ApiError, errorText } from '../../lib/http.ts';
import { savedForm, useSavedForm } from '../../lib/typed/saved-form.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import {
  type AgentField,
  type AgentFieldErrors,
  type AgentFormState,
  blankForm,
  bodyOf,
  changedFields,
  changesOf,
  checkForm,
  fieldOf,
  formOf,
  mergeForm,
  pick,
} from './agent-form-state.ts';
import { agentForm, savedAgent } from './agent-left-open.ts';
import { useAgents, useSaveAgent } from './agents.api.ts';
import { defaultModel } from './model-choice.ts';

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

/** What is wrong with the form: a sentence for each field, or for the whole. */
function useWrong(form: RefObject<HTMLFormElement | null>) {
  const [errors, setErrors] = useState<AgentFieldErrors>({});
  const [failure, setFailure] = useState('');

  /** Shows the sentences and goes to the first; says whether there was any. */
  const refuse = (next: AgentFieldErrors): boolean => {
    setFailure('');
    setErrors(next);
    const control = [...(form.current?.elements ?? [])].find((one) => (one.getAttribute('name') ?? '') in next);
    control?.closest('details')?.setAttribute('open', '');
    if (control instanceof HTMLElement) control.focus();
    return Object.keys(next).length > 0;
  };

  const fail = (error: Error) => {
    const field = error instanceof ApiError ? (fieldOf(error.field) ?? conflictField(error)) : undefined;
    if (field) refuse({ [field]: errorText(error) });
    else setFailure(errorText(error));
  };

  // A sentence about a field goes as soon as the field is touched.
  const touch = (part: Partial<AgentFormState>) =>
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))));

  return { errors, failure, refuse, fail, touch };
}

/** The only thing of an agent that can be taken is its name. */
const conflictField = (error: ApiError) => (error.status === 409 ? 'name' : undefined);

/** The agent as the server has it now, or that it was deleted since the form was opened. */
function useStored(opened: Agent | undefined) {
  const { data } = useAgents();
  const current = data?.find((agent) => agent.id === opened?.id);
  const gone = opened !== undefined && data !== undefined && current === undefined;
  return { agent: current ?? opened, gone };
}

/** What is typed, kept in step with what others store meanwhile. */
function useTyped(agent: Agent | undefined, saving: boolean, newModel: string) {
  // The list may change while somebody types; their form doesn't.
  const [model] = useState(newModel);
  const toForm = (stored: Agent | undefined) => (stored === undefined ? blankForm(model) : formOf(stored));
  const form = agentForm(agent?.id);
  const [storedForm] = useState(() => savedForm(form, savedAgent));
  const [seen, setSeen] = useState(storedForm ? (storedForm.seen ?? undefined) : agent);
  const [state, setState] = useState<AgentFormState>(() => storedForm?.state ?? toForm(agent));
  const [both, setBoth] = useState<readonly AgentField[]>([]);
  const base = toForm(seen);
  if (agent !== undefined && agent.updatedAt !== seen?.updatedAt && !saving) {
    const merged = mergeForm(base, state, toForm(agent));
    setSeen(agent);
    setState(merged.state);
    setBoth([...both, ...merged.both]);
  }
  const restart = (next: Agent | undefined) => {
    setSeen(next);
    setState(toForm(next));
    setBoth([]);
  };
  const changed = changedFields(base, state);
  useSavedForm(form, changed.length > 0 ? { seen: seen ?? null, state } : undefined);
  /** Fields that were changed here and elsewhere, and still differ. */
  const contested = changed.filter((field) => both.includes(field));
  return {
    state,
    base,
    unsaved: changed.length > 0,
    contested,
    restart,
    change: (part: Partial<AgentFormState>) => setState((before) => ({ ...before, ...part })),
    takeTheirs: () => setState({ ...state, ...pick(base, contested) }),
  };
}
