import type { Session } from '@atelier/contract/sessions';
import { isInView, type SessionView } from './session-view.ts';

export interface SessionPage {
  sessions: Session[];
  nextCursor: string | null;
}

/** Every loaded session: pinned ones first, each part newest first. */
export const allSessions = (pages: readonly SessionPage[]): Session[] => {
  const all = pages.flatMap((page) => page.sessions);
  return [...all.filter((s) => s.pinned), ...all.filter((s) => !s.pinned)];
};

/** The loaded sessions, newest first, whether pinned or not. */
export const latestSessions = (pages: readonly SessionPage[]): Session[] =>
  allSessions(pages).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));

/** Agents in the order of their latest session; those without one follow as they were. */
export function lastUsedFirst<A extends { id: string }>(agents: readonly A[], latest: readonly Session[]): A[] {
  const order = new Map([...new Set(latest.map(({ agentId }) => agentId))].map((id, at) => [id, at]));
  const placeOf = ({ id }: A) => order.get(id) ?? order.size;
  return agents.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** A change that is shown before the server has made it. */
export type SessionChange = Partial<Pick<Session, 'name' | 'pinned' | 'archived' | 'folderId'>>;

/** The pages of a list after a change of some sessions; those that it no longer shows are gone. */
export const changeInPages = (
  pages: readonly SessionPage[],
  view: SessionView,
  ids: ReadonlySet<string>,
  change: SessionChange,
): SessionPage[] =>
  pages.map((page) => ({
    ...page,
    sessions: page.sessions.flatMap((s) => {
      if (!ids.has(s.id)) return [s];
      const changed = { ...s, ...change };
      return isInView(view, changed) ? [changed] : [];
    }),
  }));

/** The pages without some sessions. */
export const dropSessions = (pages: readonly SessionPage[], ids: ReadonlySet<string>): SessionPage[] =>
  pages.map((page) => ({ ...page, sessions: page.sessions.filter((s) => !ids.has(s.id)) }));

/** The session in the address: none, an existing one, one that may still load or failed to, or one that is not ours. */
export type Selection = { state: 'none' | 'loading' | 'failed' | 'unknown' } | { state: 'selected'; session: Session };

/** Decides what `?sessionId=` means, from what is known so far. */
export function selectSession(
  sessionId: string | null,
  lookup: { session: Session | undefined; settled: boolean; failed: boolean },
): Selection {
  if (sessionId === null || sessionId === '') return { state: 'none' };
  if (lookup.session) return { state: 'selected', session: lookup.session };
  if (lookup.failed) return { state: 'failed' };
  return { state: lookup.settled ? 'unknown' : 'loading' };
}

/** The result of an inline edit: a new name, or null when it is empty or unchanged. */
export function renamed(before: string, typed: string): string | null {
  const name = typed.trim();
  return name === '' || name === before ? null : name;
}
