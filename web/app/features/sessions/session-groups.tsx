import type { Session } from '@atelier/contract/sessions';
import { useEffect, useState } from 'react';
import type { RowHandlers } from './list/session-link.tsx';
import { groupByDay, untilTomorrow } from './session-days.ts';
import { SessionRow } from './session-row.tsx';
import type { Picking } from './use-picking.ts';

export interface SessionGroupsProps {
  sessions: readonly Session[];
  selectedId: string | null;
  /** The session whose name is being edited. */
  editedId: string | null;
  picking: Picking;
  handlers: RowHandlers;
}

/** The heights of a day's name, and of a session's row with the gap below it. */
const HEADING_REM = 1.625;
const ROW_REM = 2.625;

/** Sessions under the day on which they began, pinned ones first. */
export function SessionGroups({ sessions, selectedId, editedId, picking, handlers }: SessionGroupsProps) {
  const now = useToday();
  return groupByDay(sessions, now).map((group) => (
    // What is out of sight isn't laid out: there may be thousands. Until then its height is a guess, which must not shrink to fit the list.
    <div
      key={group.label}
      className="shrink-0 [content-visibility:auto]"
      style={{ containIntrinsicBlockSize: `auto ${HEADING_REM + group.sessions.length * ROW_REM}rem` }}
    >
      <h3 className="px-2 pt-2 pb-0.5 text-muted text-xs">{group.label}</h3>
      <ul aria-label={group.label} className="flex flex-col gap-0.5">
        {group.sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            selected={session.id === selectedId}
            editing={session.id === editedId}
            picking={picking.on}
            picked={picking.picked.has(session.id)}
            handlers={handlers}
          />
        ))}
      </ul>
    </div>
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
