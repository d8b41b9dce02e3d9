import type { SessionView } from '../session-view.ts';

/** Why the list is empty, and what fills it. */
export function NoSessions({ view, hasFolders }: { view: SessionView; hasFolders: boolean }) {
  const sentence =
    view.agentId !== ''
      ? 'No sessions with this agent here.'
      : view.place === 'archived'
        ? 'Nothing is archived. Archive a session from its menu.'
        : view.place !== 'all'
          ? 'This folder is empty. Move sessions here from their menu, or drag them onto it.'
          : hasFolders
            ? 'No sessions outside of folders.'
            : 'No sessions yet. Start one with “New session”.';
  return <p className="px-2 py-3 text-muted text-sm">{sentence}</p>;
}
