import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import type { Session } from '@atelier/contract/sessions';
import { type SubmitEvent, useId, useState } from 'react';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useSessionRefusal } from './session-refusal.ts';
import { useCreateSession } from './sessions.api.ts';

export interface PickAgentDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Own agents; undefined while they load. */
  agents: readonly Agent[] | undefined;
  /** Why the agents could not be loaded, and how to retry. */
  problem: { text: string; retry: () => void } | undefined;
  /** The agent selected when the dialog opens: one that was just created. */
  suggestedId: string | undefined;
  onCreateAgent: () => void;
  onStarted: (session: Session) => void;
}

/** Asks which agent to start a session with. */
export default function PickAgentDialog(props: PickAgentDialogProps) {
  const { open, onOpenChange, agents, onCreateAgent } = props;
  const form = useId();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New session"
      description="Pick the agent to talk with."
      footer={
        <>
          {agents && agents.length > 0 && <Button onClick={onCreateAgent}>Create Agent</Button>}
          <span className="flex-1" />
          <Button type="submit" form={form} variant={agents?.length === 0 ? 'secondary' : 'primary'}>
            Start session
          </Button>
        </>
      }
    >
      {open && <AgentChoice key={props.suggestedId} {...props} formId={form} />}
    </Dialog>
  );
}

function AgentChoice({ formId, ...props }: PickAgentDialogProps & { formId: string }) {
  const { agents, problem, suggestedId, onCreateAgent, onOpenChange, onStarted } = props;
  const [chosen, setPicked] = useState(suggestedId);
  // It may have been deleted in another window since.
  const picked = agents?.some((agent) => agent.id === chosen) ? chosen : undefined;
  const create = useCreateSession();
  const { sayRefusal } = useSessionRefusal();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (create.isPending || !agents) return;
    if (agents.length === 0) return toast.warning(SENTENCES.noAgents);
    if (picked === undefined) return toast.error(SENTENCES.noAgentSelected);
    create.mutate(
      { agentId: picked },
      {
        onSuccess: (session) => {
          onOpenChange(false);
          onStarted(session);
        },
        onError: sayRefusal,
      },
    );
  };
  return (
    <form id={formId} onSubmit={submit} aria-busy={create.isPending}>
      {problem && <Failure text={problem.text} onRetry={problem.retry} />}
      {!agents && !problem && <ChoiceSkeleton />}
      {agents?.length === 0 && (
        <EmptyState
          title="You have no agents yet."
          action={
            <Button variant="primary" onClick={onCreateAgent}>
              Create Agent
            </Button>
          }
        />
      )}
      {agents && agents.length > 0 && (
        <fieldset className="flex min-w-0 flex-col gap-1">
          <legend className="sr-only">Agent</legend>
          {agents.map((agent) => (
            <AgentOption key={agent.id} agent={agent} picked={agent.id === picked} onPick={setPicked} />
          ))}
        </fieldset>
      )}
    </form>
  );
}

function AgentOption(props: { agent: Agent; picked: boolean; onPick: (id: string) => void }) {
  const { agent, picked, onPick } = props;
  return (
    <label className="flex min-h-14 cursor-pointer items-center gap-3 rounded border border-transparent px-3 py-2 hover:bg-sunken has-checked:border-edge has-checked:bg-sunken">
      <input
        type="radio"
        name="agent"
        value={agent.id}
        checked={picked}
        onChange={() => onPick(agent.id)}
        className="size-4 shrink-0 accent-ink"
      />
      <AgentMark id={agent.id} size={32} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">
          <SeenName name={agent.name} />
        </span>
        <span className="block truncate text-muted text-sm">
          <SeenText text={agent.prompt} />
        </span>
      </span>
    </label>
  );
}

const ChoiceSkeleton = () => (
  <div aria-hidden="true" className="flex flex-col gap-1">
    <Skeleton className="h-14" />
    <Skeleton className="h-14" />
  </div>
);
