import { createShared } from '../../ui/shared-value.ts';

const last = createShared<{ uid: string; id: string } | null>(null);

/** Notes which session the person has open; the link to the runtime returns there. */
export const noteLastSession = (uid: string, id: string): void => last.set({ uid, id });

/** Forgets these sessions: they are gone. */
export function forgetLastSession(ids: readonly string[]): void {
  if (ids.includes(last.read()?.id ?? '')) last.set(null);
}

/** The session that the person had open last, since the page was loaded. */
export function useLastSession(uid: string | undefined): string | undefined {
  const noted = last.useValue();
  return noted?.uid === uid ? noted?.id : undefined;
}
