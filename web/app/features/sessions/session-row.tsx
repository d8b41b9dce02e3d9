import type { Session } from '@atelier/contract/sessions';
import { Pencil, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { errorText } from '../../lib/http.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { SessionNameEdit } from './session-name-edit.tsx';
import { useRenameSession } from './sessions.api.ts';

export interface SessionRowProps {
  session: Session;
  selected: boolean;
  onDelete: (session: Session) => void;
}

/** One session of the list: a link, renamed in place, deleted with the cross. */
export function SessionRow({ session, selected, onDelete }: SessionRowProps) {
  const [editing, setEditing] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  const rename = useRenameSession();

  const finish = (name: string | null, byKey: boolean) => {
    setEditing(false);
    if (name !== null) {
      // Awaited here and not in a callback of the hook: the row may be gone, with the phone's drawer, before the answer.
      rename.mutateAsync({ id: session.id, name }).catch((error: unknown) => toast.error(errorText(error)));
    }
    // The link exists again only after this state has been rendered.
    if (byKey) requestAnimationFrame(() => link.current?.focus());
  };

  return (
    <li
      className={classes(
        'group relative flex items-center rounded hover:bg-sunken focus-within:bg-sunken',
        selected && 'bg-sunken',
      )}
    >
      {editing ? (
        <SessionNameEdit name={session.name} onDone={finish} />
      ) : (
        <>
          <Link
            ref={link}
            to={`/runtime?sessionId=${session.id}`}
            aria-current={selected ? 'page' : undefined}
            title={session.name}
            onDoubleClick={() => setEditing(true)}
            className="flex min-h-10 min-w-0 flex-1 items-center gap-2.5 rounded px-2 touch:min-h-11"
          >
            <AgentMark id={session.agentId} size={20} className={session.agentDeleted ? 'opacity-50 grayscale' : ''} />
            <span className="min-w-0 flex-1">
              <span className={classes(nameClass, selected && 'font-semibold')}>{session.name}</span>
              {session.agentDeleted && <span className="block text-muted text-xs leading-4">agent deleted</span>}
            </span>
          </Link>
          <span className={actionsClass}>
            <IconButton size="sm" label={`Rename session ${session.name}`} onClick={() => setEditing(true)}>
              <Pencil aria-hidden="true" className="size-3.5" />
            </IconButton>
            <IconButton size="sm" label={`Delete session ${session.name}`} onClick={() => onDelete(session)}>
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          </span>
        </>
      )}
    </li>
  );
}

/** One line across the whole row; two beside the buttons of a touch screen. */
const nameClass = 'block truncate touch:line-clamp-2 touch:whitespace-normal touch:leading-5';

/** Over the end of the name when a mouse or the keyboard is near. A finger can't be near: touch screens reserve a place. */
const actionsClass = classes(
  'absolute inset-y-0 right-0 flex items-center rounded-r bg-sunken pr-1 pl-1 opacity-0',
  'group-hover:opacity-100 group-focus-within:opacity-100',
  'touch:static touch:shrink-0 touch:bg-transparent touch:pl-0 touch:opacity-100',
);
