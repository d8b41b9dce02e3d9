import type { Task } from '@atelier/contract/runs';

export const STILL_LOADING = 'Memory was still loading: older memories were not searched.';

/** Says that an answer did not wait for all of a large memory. */
export function PartialNote({ task }: { task: Pick<Task, 'memoryPartial'> }) {
  if (!task.memoryPartial) return null;
  return <p className="mb-3 text-muted text-sm">{STILL_LOADING}</p>;
}
