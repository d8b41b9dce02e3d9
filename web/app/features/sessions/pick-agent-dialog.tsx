import type { Agent } from '@atelier/contract/agents';
import { SENTENCES } from '@atelier/contract/errors';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { type Loaded, LoadFailure } from '../../lib/load-failure.tsx';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { hasWords } from '../../ui/list/has-words.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextInput } from '../../ui/text-field.tsx';

/** From this many agents on, the list can be searched. */
const MANY = 8;

export interface PickAgentDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Own agents in the order of the list; undefined while they load. */
  agents: readonly Agent[] | undefined;
  /** What loads them. */
  query: Loaded;
  onCreateAgent: () => void;
  onPick: (agent: Agent) => void;
}

/** Asks which agent to start a session with: a press on one is the answer. */
export default function PickAgentDialog(props: PickAgentDialogProps) {
  const { open, onOpenChange, agents, query, onCreateAgent } = props;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New session"
      description="Pick the agent to talk with."
      footer={agents && agents.length > 0 && <Button onClick={onCreateAgent}>Create Agent</Button>}
    >
      <LoadFailure of={query} />
      {!agents && !query.isLoadingError && <ChoiceSkeleton />}
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
      {open && agents && agents.length > 0 && <AgentChoice agents={agents} onPick={props.onPick} />}
    </Dialog>
  );
}

function AgentChoice({ agents, onPick }: { agents: readonly Agent[]; onPick: (agent: Agent) => void }) {
  const [typed, setTyped] = useState('');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The dialog itself takes the focus first.
    const frame = requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('input, button')?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const matches = agents.filter(({ name, description }) => hasWords(`${name} ${description}`, typed));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (matches[0] === undefined) toast.error(SENTENCES.noAgentSelected);
    else onPick(matches[0]);
  };
  return (
    <div ref={box} className="flex flex-col gap-3">
      {agents.length >= MANY && (
        <form onSubmit={submit}>
          <TextInput
            aria-label="Search your agents"
            placeholder="Search your agents"
            enterKeyHint="go"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </form>
      )}
      <ul aria-label="Agents" className="flex min-w-0 flex-col gap-1">
        {matches.map((agent) => (
          <li key={agent.id}>
            <AgentOption agent={agent} onPick={onPick} />
          </li>
        ))}
      </ul>
      <p role="status" className="text-muted text-sm empty:hidden">
        {matches.length === 0 && 'No agents match. Try other words.'}
      </p>
    </div>
  );
}

function AgentOption({ agent, onPick }: { agent: Agent; onPick: (agent: Agent) => void }) {
  return (
    <button
      type="button"
      onClick={() => onPick(agent)}
      className="flex min-h-14 w-full items-center gap-3 rounded px-3 py-2 text-left hover:bg-sunken"
    >
      <AgentMark id={agent.id} size={32} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">
          <SeenName name={agent.name} />
        </span>
        <span className="block truncate text-muted text-sm">
          <SeenText text={agent.description || agent.prompt} />
        </span>
      </span>
    </button>
  );
}

/** As many as there probably are, of those that fit. */
function ChoiceSkeleton() {
  const count = useAuth().me?.account.agentsCreated ?? 1;
  return (
    <div aria-hidden="true" className="flex flex-col gap-1">
      {count >= MANY && <Skeleton className="mb-2 h-11" />}
      {Array.from({ length: Math.min(count, MANY) }, (_, i) => `${i}`).map((key) => (
        <Skeleton key={key} className="h-14" />
      ))}
    </div>
  );
}
