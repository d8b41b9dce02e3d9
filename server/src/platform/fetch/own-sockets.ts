import { Agent, fetch as fetchBy } from 'undici';

/** A fetch with sockets that nobody else uses, and that end with `close`: those of an earlier connection may have ended unseen. */
export function fetchBySocketsOfOwn(): { fetchFrom: typeof fetch; close: () => Promise<void> } {
  const dispatcher = new Agent({ allowH2: false });
  const fetchFrom = (target: string | URL, init?: RequestInit) =>
    fetchBy(target, { ...init, dispatcher } as Parameters<typeof fetchBy>[1]);
  // undici's own types for what the platform's fetch also has.
  return { fetchFrom: fetchFrom as unknown as typeof fetch, close: () => dispatcher.destroy() };
}
