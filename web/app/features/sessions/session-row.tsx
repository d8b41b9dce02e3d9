import type { Session } from '@atelier/contract/sessions';
import { Ellipsis, Pin, X } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, type MouseEvent, memo, useRef } from 'react';
import { Link } from 'react-router';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/overlay/menu.tsx';
import { sessionCommands } from './session-commands.ts';
import { SessionNameEdit } from './session-name-edit.tsx';
import type { SessionActions } from './use-session-actions.ts';

/** What a row does; the same object for all rows and renderings, so that a change of one row renders one row. */
export interface RowHandlers {
  pick: (id: string, range?: boolean) => void;
  /** Begins to rename, or with null ends. */
  edit: (id: string | null) => void;
  drag: (session: Session, event: DragEvent) => void;
  key: (session: Session, event: KeyboardEvent<HTMLElement>) => void;
  actions: SessionActions;
}

export interface SessionRowProps {
  session: Session;
  selected: boolean;
  editing: boolean;
  /** Whether the list shows checkboxes, and this one is checked. */
  picking: boolean;
  picked: boolean;
  handlers: RowHandlers;
}

/** One session of the list: a link with a menu, renamed in place, deleted with the cross; a checkbox while several are selected. */
export const SessionRow = memo(function SessionRow({ editing, ...props }: SessionRowProps) {
  const { session, selected, picking, picked, handlers } = props;
  const row = useRef<HTMLLIElement>(null);
  const finish = (name: string | null, byKey: boolean) => {
    handlers.edit(null);
    if (name !== null) void handlers.actions.change([session], { name });
    // The link exists again only after this state has been rendered.
    if (byKey) requestAnimationFrame(() => row.current?.querySelector('a')?.focus());
  };
  return (
    <li
      ref={row}
      className={classes(
        'group relative flex items-center rounded hover:bg-sunken focus-within:bg-sunken',
        (selected || picked) && 'bg-sunken',
      )}
    >
      {editing ? (
        <SessionNameEdit name={session.name} onDone={finish} />
      ) : (
        <>
          {picking && <PickBox {...props} />}
          <SessionLink {...props} />
          {!picking && (
            <span className={actionsClass}>
              <RowMenu session={session} handlers={handlers} />
              <IconButton
                size="sm"
                label={`Delete session ${session.name}`}
                onClick={() => void handlers.actions.remove([session])}
              >
                <X aria-hidden="true" className="size-4" />
              </IconButton>
            </span>
          )}
        </>
      )}
    </li>
  );
});

type RowPart = Omit<SessionRowProps, 'editing'>;

function RowMenu({ session, handlers }: Pick<RowPart, 'session' | 'handlers'>) {
  const { actions, edit } = handlers;
  const commands = sessionCommands({ sessions: [session], actions, onRename: () => edit(session.id) });
  return (
    <Menu
      trigger={
        <IconButton size="sm" label={`More for session ${session.name}`}>
          <Ellipsis aria-hidden="true" className="size-4" />
        </IconButton>
      }
      groups={[{ items: commands }]}
    />
  );
}

const PickBox = ({ session, picked, handlers }: RowPart) => (
  <label className="flex shrink-0 items-center self-stretch pl-2 touch:min-w-11 touch:justify-center touch:pl-0">
    <span className="sr-only">Select {session.name}</span>
    <input
      type="checkbox"
      tabIndex={-1}
      checked={picked}
      onChange={() => handlers.pick(session.id)}
      className="size-4 accent-ink touch:size-5"
    />
  </label>
);

function SessionLink({ session, selected, picking, picked, handlers }: RowPart) {
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || (!picking && !event.shiftKey)) return;
    event.preventDefault();
    handlers.pick(session.id, event.shiftKey);
  };
  return (
    <Link
      to={`/runtime?sessionId=${session.id}`}
      data-session={session.id}
      aria-current={selected ? 'page' : undefined}
      title={session.name}
      onClick={onClick}
      onDragStart={(event) => handlers.drag(session, event)}
      onKeyDown={(event) => handlers.key(session, event)}
      onDoubleClick={picking ? undefined : () => handlers.edit(session.id)}
      className="flex min-h-10 min-w-0 flex-1 items-center gap-2.5 rounded px-2 touch:min-h-11"
    >
      <AgentMark id={session.agentId} size={20} className={session.agentDeleted ? 'opacity-50 grayscale' : ''} />
      <span className="min-w-0 flex-1">
        <span className={classes(nameClass, selected && 'font-semibold')}>{session.name}</span>
        {session.agentDeleted && <span className="block text-muted text-xs leading-4">agent deleted</span>}
      </span>
      {session.pinned && <Pin aria-hidden="true" className="size-3.5 shrink-0 text-muted group-hover:opacity-0" />}
      {picked && <span className="sr-only">, selected</span>}
    </Link>
  );
}

/** One line across the whole row; two beside the buttons of a touch screen. */
const nameClass = 'block truncate touch:line-clamp-2 touch:whitespace-normal touch:leading-5';

/** Over the end of the name when a mouse or the keyboard is near. A finger can't be near: touch screens reserve a place. */
const actionsClass = classes(
  'absolute inset-y-0 right-0 flex items-center rounded-r bg-sunken pr-1 pl-1 opacity-0',
  'group-hover:opacity-100 group-focus-within:opacity-100 has-aria-expanded:opacity-100',
  'touch:static touch:shrink-0 touch:bg-transparent touch:pl-0 touch:opacity-100',
);
