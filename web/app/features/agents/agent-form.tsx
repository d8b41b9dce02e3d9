import type { Agent } from '@atelier/contract/agents';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { AGENT_LABELS, PUBLISHED } from '../../lib/agent-labels.ts';
import { useAuth } from '../../lib/auth.tsx';
import { offlineNotice } from '../../lib/offline-notice.ts';
import { Banner, ErrorBanner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { AlertDialog } from '../../ui/overlay/alert-dialog.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { AgentDelete } from './agent-delete.tsx';
import { AgentFields } from './agent-fields.tsx';
import type { AgentFieldsProps } from './agent-form-state.ts';
import { ToolPicker } from './tool-picker.tsx';
import { useAgentForm } from './use-agent-form.ts';

export interface AgentFormProps {
  /** The agent to edit, as it was when the form opened; left out, the form creates one. Give the form the agent's id as `key`. */
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
  const { state, unsaved } = form.typed;
  useUnsavedArea(unsaved);
  const existing = form.exists ? agent : undefined;
  const leftBehind = form.gone && !unsaved && agent;
  useEffect(() => {
    if (leftBehind) onDeleted?.(leftBehind);
  }, [leftBehind, onDeleted]);
  return (
    <form
      ref={form.ref}
      onSubmit={form.submit}
      noValidate
      className="flex flex-col gap-5 [&_:is(input,textarea,select,summary,button):not(.sticky_*)]:scroll-mb-20"
    >
      <ChangedElsewhere form={form} />
      {existing && notice}
      {existing && existing.unpublishedReason !== null && (
        <Banner tone="warning" className="[overflow-wrap:anywhere]">
          The operator has made this agent private: {existing.unpublishedReason}
        </Banner>
      )}
      <AgentFields form={state} errors={form.wrong.errors} change={form.change} offer={me} />
      <AgentProFields
        form={state}
        errors={form.wrong.errors}
        change={form.change}
        isPro={form.isPro}
        agent={existing}
        files={files}
        servers={servers}
      />
      {me?.modelProvider.kind === 'offline' && <Banner tone="info">{offlineNotice(me)}</Banner>}
      {form.wrong.failure && <ErrorBanner>{form.wrong.failure}</ErrorBanner>}
      <div className="-mx-5 -mb-4 sticky bottom-0 flex flex-wrap items-center gap-2 border-t bg-raised px-5 py-3">
        {existing && <AgentDelete agent={existing} onDeleted={onDeleted} />}
        <span className="flex-1" />
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" variant="primary" loading={form.saving}>
          {form.exists ? 'Save agent' : 'Create Agent'}
        </Button>
      </div>
      <PublishQuestion name={form.asking ? state.name.trim() : null} onAnswer={form.answer} />
    </form>
  );
}

/** Says what became of the agent while somebody types here, in another window for example. Nothing that they typed is touched. */
function ChangedElsewhere({ form }: { form: ReturnType<typeof useAgentForm> }) {
  const { contested, takeTheirs } = form.typed;
  if (form.gone) {
    return (
      <Banner tone="warning" role="alert">
        This agent has been deleted. What you typed is still here: you can create the agent again.
      </Banner>
    );
  }
  if (contested.length === 0) return null;
  return (
    <Banner tone="warning" role="alert">
      <p>
        This agent was changed meanwhile: {contested.map((field) => AGENT_LABELS[field]).join(', ')}. You see what you
        typed; saving it replaces the other version.
      </p>
      <Button size="sm" className="mt-2" onClick={takeTheirs}>
        Use the other version
      </Button>
    </Banner>
  );
}

interface PublishQuestionProps {
  /** The agent's name; null while nothing is asked. */
  name: string | null;
  onAnswer: (publish: boolean) => void;
}

/** Tells an author plainly what becomes public, before it does. */
function PublishQuestion({ name, onAnswer }: PublishQuestionProps) {
  return (
    <AlertDialog
      open={name !== null}
      onOpenChange={(open) => !open && onAnswer(false)}
      title={`Publish “${name ?? ''}”?`}
      body={`Everyone who is signed in will see its ${PUBLISHED}, with your display name as its author. They can copy it, and their copies stay theirs when you unpublish it. Your sessions, memories, files and email address stay private.`}
      confirmLabel="Publish"
      onConfirm={() => onAnswer(true)}
    />
  );
}

interface AgentProFieldsProps extends AgentFieldsProps {
  isPro: boolean;
  agent: Agent | undefined;
  /** The files of the agent, where it exists. */
  files: ReactNode;
  /** The person's own servers of tools. */
  servers: ReactNode;
}

/** What Pro adds: publishing (shown to all, with the reason), tools, and files of an agent that exists. */
function AgentProFields(props: AgentProFieldsProps) {
  const { form, change, isPro, agent, files, servers } = props;
  return (
    <>
      <Checkbox
        label="Public"
        name="isPublic"
        disabled={!isPro}
        checked={isPro && form.isPublic}
        onChange={(e) => change({ isPublic: e.target.checked })}
        hint={
          isPro ? (
            `Everyone who is signed in can see its ${PUBLISHED}, and copy it.`
          ) : (
            <>
              Only Pro users can publish agents.{' '}
              <Link to="/billing" className="text-ink underline underline-offset-2">
                Upgrade to Pro
              </Link>
            </>
          )
        }
      />
      {isPro && <ToolPicker {...props} />}
      {isPro && servers}
      {isPro && agent && files}
    </>
  );
}
