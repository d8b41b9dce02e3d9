import type { Session } from '@atelier/contract/sessions';
import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { ApiError, errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Failure } from '../../ui/failure.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { allSessions } from './session-pages.ts';
import { useSessionRefusal } from './session-refusal.ts';
import { SessionRow } from './session-row.tsx';
import { useDeleteSession, useRestoreSession, useSessions } from './sessions.api.ts';

/** Enough to fill half of any window. */
const SKELETONS = 30;

export interface SessionListProps {
  selectedId: string | null;
  onNew: () => void;
  /** The selected session has just been deleted. */
  onLeave: () => void;
  /** A session that was selected when it was deleted has been restored. */
  onReturn: (sessionId: string) => void;
}

const listClass = 'flex max-h-[50vh] min-h-0 flex-col gap-0.5';

/** The person's sessions, newest first: at most half the window high, or less if the sidebar has no room; then it scrolls. */
export function SessionList({ selectedId, onNew, onLeave, onReturn }: SessionListProps) {
  const sessions = useSessions();
  const list = useRef<HTMLElement>(null);
  const remove = useRemoval(selectedId, onLeave, onReturn);
  const all = allSessions(sessions.data?.pages ?? []);
  return (
    <nav
      ref={list}
      aria-label="Sessions"
      tabIndex={-1}
      className="flex min-h-32 flex-col gap-1 outline-none touch:min-h-37"
    >
      <div className="flex shrink-0 items-center justify-between gap-2 py-1 pl-2">
        <h2 className="font-semibold text-muted text-sm">Sessions</h2>
        <Button size="sm" onClick={onNew}>
          <Plus aria-hidden="true" className="size-4" />
          New session
        </Button>
      </div>
      {sessions.isPending && <SessionSkeletons />}
      {sessions.isError && all.length === 0 && (
        <div className="px-2">
          <Failure text={errorText(sessions.error)} onRetry={() => void sessions.refetch()} />
        </div>
      )}
      {sessions.isSuccess && all.length === 0 && (
        <p className="px-2 py-3 text-muted text-sm">No sessions yet. Start one with “New session”.</p>
      )}
      {all.length > 0 && (
        <ul className={classes(listClass, 'overflow-y-auto p-0.5')}>
          {all.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              selected={session.id === selectedId}
              onDelete={(gone) => {
                list.current?.focus();
                remove(gone);
              }}
            />
          ))}
          {sessions.hasNextPage && (
            <li className="px-2 py-1">
              <Button
                size="sm"
                variant="ghost"
                loading={sessions.isFetchingNextPage}
                onClick={() => void sessions.fetchNextPage()}
              >
                Show older sessions
              </Button>
            </li>
          )}
        </ul>
      )}
    </nav>
  );
}

/** Deletes at once and offers undo while the toast is shown. */
function useRemoval(selectedId: string | null, onLeave: () => void, onReturn: (id: string) => void) {
  const remove = useDeleteSession();
  const restore = useRestoreSession();
  const { sayLimit } = useSessionRefusal();
  const fail = (error: unknown) => toast.error(errorText(error));
  return (session: Session) => {
    const wasSelected = session.id === selectedId;
    // Not in the callbacks of `mutate`: the drawer around this list may be closed before the answer.
    const undo = () =>
      restore.mutateAsync(session.id).then(
        () => wasSelected && onReturn(session.id),
        (error: unknown) =>
          error instanceof ApiError && error.code === 'limit_reached' ? sayLimit(error.message) : fail(error),
      );
    remove.mutateAsync(session.id).then(() => {
      if (wasSelected) onLeave();
      const action = { label: 'Undo', onClick: () => void undo() };
      toast.success(`Session “${session.name}” deleted.`, { action });
    }, fail);
  };
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
