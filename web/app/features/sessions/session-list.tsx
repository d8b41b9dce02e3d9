import type { Session } from '@atelier/contract/sessions';
import { type DragEvent, useRef, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Failure } from '../../ui/failure.tsx';
import { FolderRows } from './folder-rows.tsx';
import { ListHeader, type NamedAgent } from './list/list-header.tsx';
import { NoSessions } from './list/no-sessions.tsx';
import { PickBar } from './list/pick-bar.tsx';
import { listClass, SessionSkeletons } from './list/session-skeletons.tsx';
import { useShownView } from './list/use-shown-view.ts';
import { useStable } from './list/use-stable.ts';
import { ViewBar } from './list/view-bar.tsx';
import { SessionGroups } from './session-groups.tsx';
import { allSessions } from './session-pages.ts';
import { isMainView, MAIN_VIEW } from './session-view.ts';
import { useSessions } from './sessions.api.ts';
import { listKeys } from './use-list-keys.ts';
import { usePicking, useSelectWish } from './use-picking.ts';
import { useSessionActions } from './use-session-actions.ts';

export interface SessionListProps {
  selectedId: string | null;
  /** The person's agents, to filter by. */
  agents: readonly NamedAgent[];
  onNew: () => void;
}

/** The person's sessions: at most half the window high, or less if the sidebar has no room; then the list scrolls. */
export function SessionList({ selectedId, agents, onNew }: SessionListProps) {
  const { view, setView, folders, isPending } = useShownView();
  const sessions = useSessions(view);
  const list = useRef<HTMLElement>(null);
  const dragged = useRef<readonly Session[]>([]);
  const actions = useSessionActions();
  const [editedId, setEditedId] = useState<string | null>(null);
  const all = allSessions(sessions.data?.pages ?? []);
  const picking = usePicking(all.map(({ id }) => id));
  useSelectWish(picking, list);
  const picked = all.filter(({ id }) => picking.picked.has(id));
  /** Removing an element would lose the focus. */
  const leaving = (change: () => void) => {
    list.current?.focus();
    picking.stop();
    change();
  };
  const careful = {
    ...actions,
    remove: async (gone: readonly Session[]) => leaving(() => void actions.remove(gone)),
    archive: async (gone: readonly Session[], on: boolean) => leaving(() => void actions.archive(gone, on)),
  };
  const drop = (folder: { id: string; name: string } | null) => (event: DragEvent) => {
    event.preventDefault();
    const moved = dragged.current;
    dragged.current = [];
    if (moved.length > 0) leaving(() => void actions.move(moved, folder));
  };
  const onDrag = (session: Session, event: DragEvent) => {
    dragged.current = picking.picked.has(session.id) ? picked : [session];
    event.dataTransfer.effectAllowed = 'copyMove';
  };
  const onKey = listKeys({
    picked,
    picking,
    onRename: ({ id }) => setEditedId(id),
    onDelete: (gone) => void careful.remove(gone),
  });
  const handlers = useStable({ pick: picking.pick, edit: setEditedId, drag: onDrag, key: onKey, actions: careful });
  return (
    <nav
      ref={list}
      aria-label="Sessions"
      tabIndex={-1}
      className="flex min-h-32 flex-col gap-1 outline-none touch:min-h-37"
    >
      {picking.on ? (
        <PickBar sessions={picked} picking={picking} actions={careful} />
      ) : (
        <ListHeader {...{ view, agents, picking, onNew }} onView={setView} hasSessions={all.length > 0} />
      )}
      <ViewBar view={view} onView={setView} agents={agents} onDrop={view.place === 'all' ? undefined : drop(null)} />
      {(sessions.isPending || isPending) && <SessionSkeletons />}
      {sessions.isError && all.length === 0 && (
        <div className="px-2">
          <Failure text={errorText(sessions.error)} onRetry={() => void sessions.refetch()} />
        </div>
      )}
      {sessions.isSuccess && !isPending && (
        <div role="group" aria-label="Session list" className={classes(listClass, 'overflow-y-auto p-0.5')}>
          {isMainView(view) && !picking.on && (
            <FolderRows
              folders={folders}
              onOpen={({ id }) => setView({ ...MAIN_VIEW, place: id })}
              onDrop={(folder, event) => drop(folder)(event)}
            />
          )}
          {all.length === 0 && <NoSessions view={view} hasFolders={folders.length > 0} />}
          <SessionGroups
            sessions={all}
            selectedId={selectedId}
            editedId={editedId}
            picking={picking}
            handlers={handlers}
          />
          {sessions.hasNextPage && <OlderButton sessions={sessions} />}
        </div>
      )}
    </nav>
  );
}

function OlderButton({ sessions }: { sessions: ReturnType<typeof useSessions> }) {
  return (
    <div className="px-2 py-1">
      <Button
        size="sm"
        variant="ghost"
        loading={sessions.isFetchingNextPage}
        onClick={() => void sessions.fetchNextPage()}
      >
        Show older sessions
      </Button>
    </div>
  );
}
