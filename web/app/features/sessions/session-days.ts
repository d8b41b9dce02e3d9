import type { Session } from '@atelier/contract/sessions';
import { monthOf } from '../../ui/formats.ts';

/** Sessions under one heading. */
export interface SessionGroup {
  label: string;
  sessions: Session[];
}

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
export function groupByDay(sessions: readonly Session[], now: Date): SessionGroup[] {
  const groups: SessionGroup[] = [];
  for (const session of sessions) {
    const label = session.pinned ? 'Pinned' : labelOf(session.createdAt, now);
    const last = groups.at(-1);
    if (last?.label === label) last.sessions.push(session);
    else groups.push({ label, sessions: [session] });
  }
  return groups;
}

/** Milliseconds until the next day begins here. */
export function untilTomorrow(now: Date): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime() - now.getTime();
}
