import type { Session } from '@atelier/contract/sessions';
import { memo, useEffect, useRef, useState } from 'react';
import { classes } from '../../ui/classes.ts';
import { monthOf } from '../../ui/formats.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { X } from '../../ui/icons/lucide.ts';
import { useNear } from '../../ui/list/use-near.ts';
import { RowMenu } from './list/row-menu.tsx';
import { type RowHandlers, type RowPart, SessionLink, type SessionRowProps } from './list/session-link.tsx';
import { SessionNameEdit } from './session-name-edit.tsx';
import type { Picking } from './use-picking.ts';

export interface SessionGroupsProps {
  sessions: readonly Session[];
  selectedId: string | null;
  /** The row that Tab leads to. */
  tabStop: string | null;
  /** The session whose name is being edited. */
  editedId: string | null;
  picking: Picking;
  handlers: RowHandlers;
}

/** How many rows are rendered at once: about as many as a phone shows, and renders within a frame. */
const PORTION = 8;

/** Sessions under the day on which they began, pinned ones first. */
export function SessionGroups({ sessions, ...props }: SessionGroupsProps) {
  const now = useToday();
  return groupByDay(sessions, now).map(({ label, sessions: all }) => (
    <div key={label} className="shrink-0">
      <h3 className="px-2 pt-1 text-muted text-xs">{label}</h3>
      <ul aria-label={label}>
        {Array.from({ length: Math.ceil(all.length / PORTION) }, (_, i) => (
          <Portion key={`${i}`} sessions={all.slice(i * PORTION, (i + 1) * PORTION)} {...props} />
        ))}
      </ul>
    </div>
  ));
}

/** Some rows, once they are near or one of them gets the focus; until then their place. There may be thousands. */
function Portion({ sessions, selectedId, tabStop, editedId, picking, handlers }: SessionGroupsProps) {
  const [place, isNear] = useNear<HTMLLIElement>(sessions.some(({ id }) => id === tabStop || id === selectedId));
  if (!isNear) return <li ref={place} aria-hidden="true" style={{ height: `calc(var(--row) * ${sessions.length})` }} />;
  return sessions.map((session) => (
    <SessionRow
      key={session.id}
      session={session}
      selected={session.id === selectedId}
      tabbable={session.id === tabStop}
      editing={session.id === editedId}
      picking={picking.on}
      picked={picking.picked.has(session.id)}
      handlers={handlers}
    />
  ));
}

/** The present, renewed when the day ends. */
function useToday(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setTimeout(() => setNow(new Date()), untilTomorrow(now) + 1000);
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}

/** One session of the list: a link with a menu, renamed in place, deleted with the cross; a checkbox while several are selected. */
const SessionRow = memo(function SessionRow({ editing, ...props }: SessionRowProps) {
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
        'group relative flex h-(--row) shrink-0 items-center rounded hover:bg-sunken focus-within:bg-sunken',
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
                tabIndex={-1}
                label={`Delete session ${session.name}`}
                onClick={() => void handlers.actions.remove([session])}
                Icon={X}
              />
            </span>
          )}
        </>
      )}
    </li>
  );
});

/** Over the end of the name, inside its focus ring, when a mouse or the keyboard is near. A finger can't be near: touch screens reserve a place. */
const actionsClass = classes(
  'absolute inset-y-0.5 right-0.5 flex items-center rounded-r-sm bg-sunken px-0.5 opacity-0',
  'group-hover:opacity-100 group-focus-within:opacity-100 has-aria-expanded:opacity-100',
  'touch:static touch:shrink-0 touch:bg-transparent touch:pr-1 touch:pl-0 touch:opacity-100',
);

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

const DAY_MS = 86_400_000;

/** Midnight of a day, as a count of days: daylight saving time makes no day shorter or longer here. */
const dayOf = (date: Date) => Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS);

function labelOf(createdAt: string, now: Date): string {
  const at = new Date(createdAt);
  const age = dayOf(now) - dayOf(at);
  if (age <= 0) return 'Today';
  if (age === 1) return 'Yesterday';
  if (age <= 7) return 'Previous 7 days';
  if (age <= 30) return 'Previous 30 days';
  return monthOf(at);
}

/** Sessions in the order given, under headings: pinned ones first, then by day in the time zone of this machine. */
export function groupByDay(sessions: readonly Session[], now: Date): { label: string; sessions: Session[] }[] {
  const groups = Map.groupBy(sessions, ({ pinned, createdAt }) => (pinned ? 'Pinned' : labelOf(createdAt, now)));
  return [...groups].map(([label, of]) => ({ label, sessions: of }));
}

/** Milliseconds until the next day begins here. */
export function untilTomorrow(now: Date): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime();
}
