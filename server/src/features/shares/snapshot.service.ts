import { isInFlight, type Task } from '@atelier/contract/runs';
import { SHARE_LIMITS } from '@atelier/contract/shares';
import type { Authorized, Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { getTask, listTasks } from '../runs/runs.service.ts';
import type { SessionWithAgent } from '../sessions/sessions.service.ts';

/** Which exchanges a link shows, oldest first. */
interface Snapshot {
  taskIds: string[];
  /** The session has earlier ones, for which there is no room. */
  hasEarlier: boolean;
}

const PAGE = 100;
const NOTHING_YET = 'There is no answer to share yet.';

/** What failed without a word, or was asked again, would only confuse a reader. */
const isShown = (task: Task) => !isInFlight(task.status) && task.message !== '' && task.retriedBy === undefined;

/** One answer; 404 when it is not of this session, 409 while it is being written or when there is none. */
export async function takeAnswer(
  ctx: Deps,
  caller: Caller,
  at: { sessionId: string; taskId: string },
): Promise<Snapshot> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  if (isInFlight(task.status))
    throw new AppError('conflict', 'This answer is still being written.', { field: 'taskId' });
  if (task.message === '') throw new AppError('conflict', NOTHING_YET, { field: 'taskId' });
  return { taskIds: [task.id], hasEarlier: false };
}

/** The session's finished exchanges as it shows them, as many of the last ones as a link holds; 409 when there are none. */
export async function takeSession(ctx: Deps, session: Authorized<SessionWithAgent>): Promise<Snapshot> {
  const snapshot = await readSession(ctx, session);
  if (snapshot.taskIds.length === 0) throw new AppError('conflict', NOTHING_YET);
  return snapshot;
}

/** The same; none for a session without answers. */
export async function readSession(ctx: Deps, session: Authorized<SessionWithAgent>): Promise<Snapshot> {
  const newestFirst: Task[] = [];
  let characters = 0;
  for (let cursor: string | undefined; ; ) {
    const { tasks, nextCursor } = await listTasks(ctx, session, { limit: PAGE, cursor });
    for (const task of tasks.filter(isShown).toReversed()) {
      characters += task.inputText.length + task.message.length;
      const isFull = newestFirst.length >= SHARE_LIMITS.exchanges || characters > SHARE_LIMITS.characters;
      if (isFull && newestFirst.length > 0) return toSnapshot(newestFirst, true);
      newestFirst.push(task);
    }
    if (nextCursor === null) return toSnapshot(newestFirst, false);
    cursor = nextCursor;
  }
}

const toSnapshot = (newestFirst: Task[], hasEarlier: boolean): Snapshot => ({
  taskIds: newestFirst.toReversed().map(({ id }) => id),
  hasEarlier,
});
