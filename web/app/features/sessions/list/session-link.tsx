import type { Session } from '@atelier/contract/sessions';
import type { DragEvent, MouseEvent } from 'react';
import { Link } from 'react-router';
import { SeenText } from '../../../lib/names/seen-text.tsx';
import { AgentMark } from '../../../ui/agent-mark.tsx';
import { classes } from '../../../ui/classes.ts';
import { Pin } from '../../../ui/icons/lucide.ts';
import type { SessionActions } from '../use-session-actions.ts';

/** What a row does; the same object for all rows and renderings, so that a change of one row renders one row. */
export interface RowHandlers {
  pick: (id: string, range?: boolean) => void;
  /** Begins to rename, or with null ends. */
  edit: (id: string | null) => void;
  drag: (session: Session, event: DragEvent) => void;
  actions: SessionActions;
}

export interface SessionRowProps {
  session: Session;
  selected: boolean;
  /** Whether Tab leads here. */
  tabbable: boolean;
  editing: boolean;
  /** Whether the list shows checkboxes, and this one is checked. */
  picking: boolean;
  picked: boolean;
  handlers: RowHandlers;
}

export type RowPart = Omit<SessionRowProps, 'editing'>;

/** Opens a session; a click with a key held selects it. */
export function SessionLink({ session, selected, tabbable, picking, picked, handlers }: RowPart) {
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || (!picking && !event.shiftKey)) return;
    event.preventDefault();
    handlers.pick(session.id, event.shiftKey);
  };
  return (
    <Link
      to={`/runtime?sessionId=${session.id}`}
      data-row={session.id}
      tabIndex={tabbable ? 0 : -1}
      aria-current={selected ? 'page' : undefined}
      title={session.name}
      onClick={onClick}
      onDragStart={(event) => handlers.drag(session, event)}
      onDoubleClick={picking ? undefined : () => handlers.edit(session.id)}
      className="flex h-full min-w-0 flex-1 items-center gap-2.5 rounded px-2 outline-offset-[-2px]"
    >
      <AgentMark id={session.agentId} size={20} className={session.agentDeleted ? 'opacity-50 grayscale' : ''} />
      <span className={classes('min-w-0 flex-1', session.agentDeleted && 'flex items-baseline gap-2 touch:block')}>
        <span
          dir="auto"
          className={classes(
            'text-left',
            session.agentDeleted ? 'block min-w-0 truncate touch:leading-5' : nameClass,
            selected && 'font-semibold',
          )}
        >
          <SeenText text={session.name} />
        </span>
        {session.agentDeleted && <span className={deletedClass}>agent deleted</span>}
      </span>
      {session.pinned && <Pin className="size-3.5 shrink-0 text-muted group-hover:opacity-0" />}
      {picked && <span className="sr-only">, selected</span>}
    </Link>
  );
}

/** One line across the whole row; two beside the buttons of a touch screen. */
const nameClass = 'block truncate touch:line-clamp-2 touch:whitespace-normal touch:leading-4.5';
/** Gives way to the buttons, as the pin does; on a touch screen they have a place of their own. */
const deletedClass =
  'block shrink-0 text-muted text-xs leading-4 group-hover:opacity-0 group-focus-within:opacity-0 touch:opacity-100!';
