import type { RowPart } from './session-link.tsx';

/** Selects a session of the list. */
export const PickBox = ({ session, picked, handlers }: RowPart) => (
  <label className="flex shrink-0 items-center self-stretch pl-2 touch:min-w-11 touch:justify-center touch:pl-0">
    <span className="sr-only">Select {session.name}</span>
    <input
      type="checkbox"
      tabIndex={-1}
      checked={picked}
      onChange={() => handlers.pick(session.id)}
      className="size-4 accent-ink touch:size-5"
    />
  </label>
);
