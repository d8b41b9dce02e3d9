import type { Agent } from '@atelier/contract/agents';
import type { Session } from '@atelier/contract/sessions';
import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { chatPath, exchangePath } from '../../lib/addresses.ts';
import { SeenName, SeenText } from '../../lib/names/seen-text.tsx';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { dayOf } from '../../ui/formats.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Pencil } from '../../ui/icons/lucide.ts';

/** As many agents and sessions as can be read at a glance. */
const SHOWN = 6;

export interface AgentRowsProps {
  agents: readonly Agent[];
  /** Whom the message is for. */
  chosenId: string | undefined;
  /** Opens the choice of all. */
  onAll: () => void;
  onEdit: (agent: Agent) => void;
}

/** The person's agents: a press chooses one for the message. */
export function AgentRows({ agents, chosenId, onAll, onEdit }: AgentRowsProps) {
  return (
    <Rows title="Your agents">
      {agents.slice(0, SHOWN).map((agent) => (
        <li key={agent.id} className="flex items-center rounded hover:bg-sunken has-aria-current:bg-sunken">
          <Row
            to={chatPath(agent.id)}
            replace
            state={{ fresh: true }}
            markId={agent.id}
            name={agent.name}
            chosen={agent.id === chosenId}
            about={<SeenText text={agent.description || agent.prompt} />}
          />
          <IconButton label={`Edit ${agent.name}`} onClick={() => onEdit(agent)} Icon={Pencil} size="sm" />
        </li>
      ))}
      {agents.length > SHOWN && (
        <li className="px-3 py-1">
          <Button size="sm" onClick={onAll}>
            All {agents.length} agents
          </Button>
        </li>
      )}
    </Rows>
  );
}

/** The latest sessions. */
export function SessionRows({ sessions }: { sessions: readonly Session[] }) {
  if (sessions.length === 0) return null;
  return (
    <Rows title="Last sessions">
      {sessions.slice(0, SHOWN).map((session) => (
        <li key={session.id} className="flex rounded hover:bg-sunken">
          <Row
            to={exchangePath(session.id)}
            markId={session.agentId}
            name={session.name}
            about={
              <>
                <SeenName name={session.agentName} /> · {dayOf(session.createdAt)}
              </>
            }
          />
        </li>
      ))}
    </Rows>
  );
}

function Rows({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h2 className="px-3 font-semibold text-muted text-sm">{title}</h2>
      <ul className="grid grid-cols-1 gap-1 sm:grid-cols-2">{children}</ul>
    </section>
  );
}

interface RowProps extends Pick<LinkProps, 'to' | 'replace' | 'state'> {
  markId: string;
  name: string;
  about: ReactNode;
  chosen?: boolean;
}

function Row({ markId, name, about, chosen = false, ...link }: RowProps) {
  return (
    <Link
      {...link}
      aria-current={chosen || undefined}
      className="flex min-h-14 min-w-0 flex-1 items-center gap-3 rounded px-3 py-2"
    >
      <AgentMark id={markId} size={32} />
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-left font-semibold">
          <SeenText text={name} />
        </span>
        <span className="block truncate text-muted text-sm">{about}</span>
      </span>
    </Link>
  );
}
