import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { ApiError, errorText } from '../../lib/http.ts';
import { offlineNotice } from '../../lib/offline-notice.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import { AgentDelete } from './agent-delete.tsx';
import { AgentFields } from './agent-fields.tsx';
import {
  type AgentFieldErrors,
  type AgentFormState,
  bodyOf,
  checkForm,
  fieldOf,
  firstError,
  formOf,
} from './agent-form-state.ts';
import { AgentProFields } from './agent-pro-fields.tsx';
import { useSaveAgent } from './agents.api.ts';
import { PublishQuestion } from './publish-question.tsx';

export interface AgentFormProps {
  /** The agent to edit; left out, the form creates one. Give the form the agent's id as `key`. */
  agent?: Agent;
  onSaved?: (agent: Agent) => void;
  onDeleted?: (agent: Agent) => void;
  onCancel?: () => void;
  /** Stands above the fields: what is to be said of this agent. */
  notice?: ReactNode;
  /** The files of the agent, for Pro. */
  files?: ReactNode;
  /** The person's own servers of tools, for Pro. */
  servers?: ReactNode;
}

/** Creates or edits an agent. It holds no dialog around itself, so that it fits a modal and a page alike. */
export function AgentForm({ agent, onSaved, onDeleted, onCancel, notice, files, servers }: AgentFormProps) {
  const form = useAgentForm(agent, onSaved);
  const { me } = useAuth();
  return (
    <form ref={form.ref} onSubmit={form.submit} noValidate className="flex flex-col gap-5">
      {notice}
      <AgentFields form={form.state} errors={form.errors} change={form.change} models={me?.models} />
      <AgentProFields
        form={form.state}
        errors={form.errors}
        change={form.change}
        isPro={form.isPro}
        agent={agent}
        files={files}
        servers={servers}
      />
      {me?.modelProvider.kind === 'offline' && <Banner tone="info">{offlineNotice(me)}</Banner>}
      {form.failure && (
        <Banner tone="danger" role="alert">
          {form.failure}
        </Banner>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {agent && <AgentDelete agent={agent} onDeleted={onDeleted} />}
        <span className="flex-1" />
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" variant="primary" loading={form.saving}>
          {agent ? 'Save Agent' : 'Create Agent'}
        </Button>
      </div>
      <PublishQuestion name={form.asking ? form.state.name.trim() : null} onAnswer={form.answer} />
    </form>
  );
}

function useAgentForm(agent: Agent | undefined, onSaved: AgentFormProps['onSaved']) {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  const ref = useRef<HTMLFormElement>(null);
  const [state, setState] = useState<AgentFormState>(() => formOf(agent));
  const [errors, setErrors] = useState<AgentFieldErrors>({});
  const [failure, setFailure] = useState('');
  const [asking, setAsking] = useState(false);
  const save = useSaveAgent(agent?.id);

  const refuse = (next: AgentFieldErrors) => {
    setErrors(next);
    const control = ref.current?.elements.namedItem(firstError(next) ?? '');
    if (control instanceof HTMLElement) control.focus();
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    setFailure('');
    const found = checkForm(state, isPro);
    if (firstError(found)) return refuse(found);
    setErrors({});
    if (bodyOf(state, isPro).isPublic && !agent?.isPublic) setAsking(true);
    else store();
  };

  const answer = (publish: boolean) => {
    setAsking(false);
    if (publish) store();
  };

  const store = () =>
    save.mutate(bodyOf(state, isPro), {
      onSuccess: (saved) => {
        toast.success(agent ? SENTENCES.agentUpdated : SENTENCES.agentCreated);
        setState(formOf(agent ? saved : undefined));
        onSaved?.(saved);
      },
      onError: (error) => {
        const field = error instanceof ApiError ? (fieldOf(error.field) ?? conflictField(error)) : undefined;
        if (field) refuse({ [field]: errorText(error) });
        else setFailure(errorText(error));
      },
    });

  const change = (part: Partial<AgentFormState>) => {
    setState((before) => ({ ...before, ...part }));
    // A sentence about a field goes as soon as the field is touched.
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))));
  };

  return { ref, state, errors, failure, isPro, asking, saving: save.isPending, submit, answer, change };
}

/** The only thing of an agent that can be taken is its name. */
const conflictField = (error: ApiError) => (error.status === 409 ? 'name' : undefined);
