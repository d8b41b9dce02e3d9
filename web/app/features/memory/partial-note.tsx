import type { Task } from '@atelier/contract/runs';

export const STILL_LOADING = 'Memory was still loading: older memories were not searched.';

/** Says that an answer did not wait for all of a large memory, or had less of a conversation that was too long for its model. */
export function PartialNote({ task }: { task: Pick<Task, 'memoryPartial' | 'usage'> }) {
  const notes = [
    ...(task.memoryPartial ? [STILL_LOADING] : []),
    ...(task.usage?.shortened ? ['The conversation was too long for the model. Less of it was sent.'] : []),
  ];
  return notes.map((note) => (
    <p key={note} className="mb-3 text-muted text-sm">
      {note}
    </p>
  ));
}
