import type { Session } from '@atelier/contract/sessions';
import { useEffect, useState } from 'react';
import { useNear } from '../../ui/list/use-near.ts';
import type { RowHandlers } from './list/session-link.tsx';
import { groupByDay, untilTomorrow } from './session-days.ts';
import { SessionRow } from './session-row.tsx';
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
