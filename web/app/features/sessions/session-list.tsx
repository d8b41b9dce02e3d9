import type { Session } from '@atelier/contract/sessions';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Failure } from '../../ui/failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FolderRows } from './folder-rows.tsx';
import { useFolders } from './folders.api.ts';
import { ListHeader, type NamedAgent, PickBar, ViewBar } from './list-header.tsx';
import { SessionGroups } from './session-groups.tsx';
import { allSessions } from './session-pages.ts';
import type { RowHandlers } from './session-row.tsx';
import { isMainView, MAIN_VIEW, type SessionView, showSessions, useSessionView } from './session-view.ts';
import { useSessions } from './sessions.api.ts';
import { listKeys } from './use-list-keys.ts';
import { usePicking, useSelectWish } from './use-picking.ts';
import { useSessionActions } from './use-session-actions.ts';

/** Enough to fill half of any window. */
const SKELETONS = 30;

export interface SessionListProps {
  selectedId: string | null;
  /** The person's agents, to filter by. */
  agents: readonly NamedAgent[];
  onNew: () => void;
}

const listClass = 'flex max-h-[50vh] min-h-0 flex-col gap-0.5';

/** The view that the person chose; a folder that is gone meanwhile is left. */
function useShownView() {
  const uid = useAuth().user?.uid ?? '';
  const chosen = useSessionView(uid);
  const folders = useFolders();
  const isGone = !['all', 'archived'].includes(chosen.place) && folders.data?.every(({ id }) => id !== chosen.place);
  return {
    view: isGone ? MAIN_VIEW : chosen,
    setView: (next: SessionView) => showSessions(uid, next),
    folders: folders.data ?? [],
    // Without them the list would move when they come.
    isPending: folders.isPending && isMainView(chosen),
  };
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

/** Always the same handlers, which do what the latest ones do. */
function useStable(now: RowHandlers): RowHandlers {
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  const [stable] = useState<RowHandlers>(() => ({
    pick: (...of) => latest.current.pick(...of),
    edit: (...of) => latest.current.edit(...of),
    drag: (...of) => latest.current.drag(...of),
    key: (...of) => latest.current.key(...of),
    actions: {
      change: (...of) => latest.current.actions.change(...of),
      archive: (...of) => latest.current.actions.archive(...of),
      move: (...of) => latest.current.actions.move(...of),
      remove: (...of) => latest.current.actions.remove(...of),
      exportAs: (...of) => latest.current.actions.exportAs(...of),
    },
  }));
  return stable;
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

/** Why the list is empty, and what fills it. */
function NoSessions({ view, hasFolders }: { view: SessionView; hasFolders: boolean }) {
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

/** As many as there are sessions, so that what is below the list doesn't move. */
function SessionSkeletons() {
  const count = useAuth().me?.usage.sessionCount ?? 0;
  if (count === 0) return <Skeleton className="mx-2 my-3 h-5" />;
  return (
    <div aria-hidden="true" className={classes(listClass, 'overflow-hidden p-0.5')}>
      {Array.from({ length: Math.min(count, SKELETONS) }, (_, i) => `${i}`).map((key) => (
        <span key={key} className="flex h-10 shrink-0 items-center gap-2.5 px-2 touch:h-11">
          <Skeleton className="size-5" />
          <Skeleton className="h-4 flex-1" />
        </span>
      ))}
    </div>
  );
}
