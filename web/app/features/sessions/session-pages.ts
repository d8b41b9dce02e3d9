import type { Session } from '@atelier/contract/sessions';

export interface SessionPage {
  sessions: Session[];
  nextCursor: string | null;
}

/** Every loaded session, newest first. */
export const allSessions = (pages: readonly SessionPage[]): Session[] => pages.flatMap((page) => page.sessions);

/** The pages with one session renamed. */
export const renameSession = (pages: readonly SessionPage[], id: string, name: string): SessionPage[] =>
  pages.map((page) => ({ ...page, sessions: page.sessions.map((s) => (s.id === id ? { ...s, name } : s)) }));

/** The pages without one session. */
export const dropSession = (pages: readonly SessionPage[], id: string): SessionPage[] =>
  pages.map((page) => ({ ...page, sessions: page.sessions.filter((s) => s.id !== id) }));

/** The session in the address: none, an existing one, one that may still load or failed to, or one that is not ours. */
export type Selection = { state: 'none' | 'loading' | 'failed' | 'unknown' } | { state: 'selected'; session: Session };

/** Decides what `?sessionId=` means, from what is loaded so far. */
export function selectSession(
  sessionId: string | null,
  list: { sessions: readonly Session[]; loaded: boolean; failed: boolean; hasMore: boolean },
): Selection {
  if (sessionId === null || sessionId === '') return { state: 'none' };
  const session = list.sessions.find((s) => s.id === sessionId);
  if (session) return { state: 'selected', session };
  if (list.failed) return { state: 'failed' };
  return { state: list.loaded && !list.hasMore ? 'unknown' : 'loading' };
}

/** The result of an inline edit: a new name, or null when it is empty or unchanged. */
export function renamed(before: string, typed: string): string | null {
  const name = typed.trim();
  return name === '' || name === before ? null : name;
}
