import type { Session } from '@atelier/contract/sessions';
import { type DragEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useLatest } from '../../ui/list/use-latest.ts';
import { InPieces } from '../../ui/page/in-pieces.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FolderRows } from './folder-rows.tsx';
import { ListHeader, type NamedAgent } from './list/list-header.tsx';
import { PickBar } from './list/pick-bar.tsx';
import type { RowHandlers } from './list/session-link.tsx';
import { ViewBar } from './list/view-bar.tsx';
import { SessionGroups } from './session-groups.tsx';
import { allSessions } from './session-pages.ts';
import { isInView, isMainView, MAIN_VIEW, type SessionView, showSessions, useSessionView } from './session-view.ts';
import { useFolders, useSessions } from './sessions.api.ts';
import { useListKeys } from './use-list-keys.ts';
import { type Picking, usePicking, useSelectWish } from './use-picking.ts';
import { useSelection } from './use-selection.ts';
import { useSessionActions } from './use-session-actions.ts';

export interface SessionListProps {
  selectedId: string | null;
  /** The person's agents, to filter by. */
  agents: readonly NamedAgent[];
  /** The agents are needed. */
  onFilter: () => void;
  onNew: () => void;
}

/** The person's sessions: at most half the window high, or less if the sidebar has no room; then the list scrolls. */
export function SessionList({ selectedId, agents, onFilter, onNew }: SessionListProps) {
  const { view, setView, folders, isPending } = useShownView();
  const sessions = useSessions(view);
  const list = useRef<HTMLElement>(null);
  const [editedId, setEditedId] = useState<string | null>(null);
  const selection = useSelection(selectedId);
  const loaded = allSessions(sessions.data?.pages ?? []);
  // On a page of the list that isn't loaded, it is shown after those that are.
  const isBeyond =
    sessions.hasNextPage &&
    selection.state === 'selected' &&
    isInView(view, selection.session) &&
    loaded.every(({ id }) => id !== selectedId);
  const all = isBeyond ? [...loaded, selection.session] : loaded;
  const picking = usePicking(all.map(({ id }) => id));
  useSelectWish(picking, list);
  const picked = all.filter(({ id }) => picking.picked.has(id));
  const { careful, drop, onDrag } = useListActions(list, picking, picked);
  const shownFolders = isMainView(view) && !picking.on ? folders : [];
  const { stop, ...focus } = useListKeys({
    rows: [...shownFolders, ...all.map((session) => ({ id: session.id, name: session.name, session }))],
    selectedId,
    list,
    picked,
    picking,
    onRename: ({ id }) => setEditedId(id),
    onDelete: (gone) => void careful.remove(gone),
  });
  const handlers = useStable({ pick: picking.pick, edit: setEditedId, drag: onDrag, actions: careful });
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
        <ListHeader {...{ view, agents, picking, onFilter, onNew }} onView={setView} hasSessions={all.length > 0} />
      )}
      <ViewBar
        view={view}
        onView={setView}
        agent={view.agentId && (agents.find(({ id }) => id === view.agentId)?.name ?? all[0]?.agentName)}
        onDrop={view.place === 'all' ? undefined : drop(null)}
      />
      {(sessions.isPending || isPending) && <SessionSkeletons />}
      {sessions.isError && all.length === 0 && (
        <div className="px-2">
          <LoadFailure of={sessions} />
        </div>
      )}
      {sessions.isSuccess && !isPending && (
        <InPieces fallback={<SessionSkeletons />}>
          <div role="group" aria-label="Session list" className={classes(listClass, 'overflow-y-auto')} {...focus}>
            <FolderRows
              folders={shownFolders}
              tabStop={stop}
              onOpen={({ id }) => setView({ ...MAIN_VIEW, place: id })}
              onDrop={(folder, event) => drop(folder)(event)}
            />
            {all.length === 0 && <NoSessions view={view} hasFolders={folders.length > 0} />}
            <SessionGroups
              sessions={all}
              selectedId={selectedId}
              tabStop={stop}
              editedId={editedId}
              picking={picking}
              handlers={handlers}
            />
            {sessions.hasNextPage && <OlderButton sessions={sessions} />}
            <InSight list={list} id={all.some(({ id }) => id === selectedId) ? selectedId : null} />
          </div>
        </InPieces>
      )}
    </nav>
  );
}

/** What the list does with its sessions, and with what is dragged. */
function useListActions(list: RefObject<HTMLElement | null>, picking: Picking, picked: readonly Session[]) {
  const dragged = useRef<readonly Session[]>([]);
  const actions = useSessionActions();
  /** Removing an element would lose the focus: the next row takes it, or the one before. */
  const leaving = (gone: readonly Session[], change: () => void) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const leaves = (row: HTMLElement) => gone.some(({ id }) => id === row.dataset.row);
    const last = rows.findLastIndex(leaves);
    const next = rows[last + 1] ?? rows.slice(0, last).findLast((row) => !leaves(row)) ?? list.current;
    next?.focus();
    picking.stop();
    change();
  };
  const careful = {
    ...actions,
    remove: async (gone: readonly Session[]) => leaving(gone, () => void actions.remove(gone)),
    archive: async (gone: readonly Session[], on: boolean) => leaving(gone, () => void actions.archive(gone, on)),
  };
  const drop = (folder: { id: string; name: string } | null) => (event: DragEvent) => {
    event.preventDefault();
    const moved = dragged.current;
    dragged.current = [];
    if (moved.length > 0) leaving(moved, () => void actions.move(moved, folder));
  };
  const onDrag = (session: Session, event: DragEvent) => {
    dragged.current = picking.picked.has(session.id) ? picked : [session];
    event.dataTransfer.effectAllowed = 'copyMove';
  };
  return { careful, drop, onDrag };
}

/** Always the same handlers, which do what the latest ones do. */
function useStable(now: RowHandlers): RowHandlers {
  const latest = useLatest(now);
  const [stable] = useState<RowHandlers>(() => ({
    pick: (...of) => latest.current.pick(...of),
    edit: (...of) => latest.current.edit(...of),
    drag: (...of) => latest.current.drag(...of),
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

/** Scrolls to the open session, once the list has it. */
function InSight({ list, id }: { list: RefObject<HTMLElement | null>; id: string | null }) {
  useEffect(() => {
    list.current?.querySelector(`[data-row="${id}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [list, id]);
  return null;
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

/** As many as are seen at a glance. */
const SKELETONS = 12;

/** Every row is equally high, so that those that aren't rendered yet have their place. */
const listClass = 'flex max-h-[50vh] min-h-0 flex-col [--row:2.25rem] touch:[--row:2.75rem]';

/** As many as there are sessions, so that what is below the list doesn't move. */
function SessionSkeletons() {
  const count = useAuth().me?.usage.sessionCount ?? 0;
  if (count === 0) return <Skeleton className="mx-2 my-3 h-5" />;
  return (
    <div aria-hidden="true" className={classes(listClass, 'overflow-hidden')}>
      <div className="shrink-0" style={{ height: `calc(var(--row) * ${count})` }}>
        {Array.from({ length: Math.min(count, SKELETONS) }, (_, i) => `${i}`).map((key) => (
          <span key={key} className="flex h-(--row) items-center gap-2.5 px-2">
            <Skeleton className="size-5" />
            <Skeleton className="h-4 flex-1" />
          </span>
        ))}
      </div>
    </div>
  );
}

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
