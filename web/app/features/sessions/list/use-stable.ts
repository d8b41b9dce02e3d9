import { useState } from 'react';
import { useLatest } from '../../../ui/list/use-latest.ts';
import type { RowHandlers } from './session-link.tsx';

/** Always the same handlers, which do what the latest ones do. */
export function useStable(now: RowHandlers): RowHandlers {
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
