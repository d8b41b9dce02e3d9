import { READY_AGENTS, type ReadyAgent } from '@atelier/contract/agents/ready-agents';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { ArrowRight } from '../../ui/icons/lucide.ts';
import { Spinner } from '../../ui/spinner.tsx';

export interface ReadyAgentsProps {
  /** The name of the one that is being started. */
  startingName: string | undefined;
  onStart: (ready: ReadyAgent) => void;
}

/** The address that an agent of this name gets: its mark here is the one it will have. */
const addressOf = (name: string) => name.toLowerCase().replaceAll(/\s+/gu, '-');

/** Agents to start from, for somebody who has none: one press makes the agent, opens a session and says something to keep. */
export function ReadyAgents({ startingName, onStart }: ReadyAgentsProps) {
  return (
    <section aria-labelledby="ready" className="flex flex-col gap-3">
      <h2 id="ready" className="font-semibold text-lg">
        Or start with one that is ready
      </h2>
      <ul className="grid gap-3 sm:grid-cols-3">
        {READY_AGENTS.map((ready) => (
          <li key={ready.agent.name}>
            <button
              type="button"
              aria-busy={startingName === ready.agent.name || undefined}
              aria-disabled={startingName !== undefined || undefined}
              onClick={() => startingName === undefined && onStart(ready)}
              className="flex h-full w-full flex-col items-start gap-2 rounded-lg border border-edge bg-raised p-4 text-left transition-colors duration-100 hover:bg-sunken"
            >
              <AgentMark id={addressOf(ready.agent.name)} size={32} />
              <span className="font-semibold">{ready.agent.name}</span>
              <span className="text-muted text-sm">{ready.agent.description}</span>
              <span className="mt-auto flex items-center gap-2 pt-2 text-sm">
                {startingName === ready.agent.name ? <Spinner /> : <ArrowRight className="size-4 shrink-0" />}“
                {ready.opener}”
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
