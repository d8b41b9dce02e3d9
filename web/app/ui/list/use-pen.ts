import { useCallback, useState } from 'react';
import { type UnsavedArea, useUnsavedArea } from '../overlay/unsaved.tsx';
import { useLatest } from './use-latest.ts';

export interface Pen<T> {
  /** The list, with the entry being edited even if it is no longer found. */
  shown: readonly T[];
  editingId: string | undefined;
  /** Begins to edit an entry, after a question if words typed into another would be lost; null ends it at once. The same at each rendering. */
  edit: (id: string | null) => void;
  /** Goes around the entries' forms, so that `edit` knows what is unsaved. */
  area: UnsavedArea;
}

/**
 * Which entry of a list is being edited. It stays in its place, whatever the filters say or others change. `leftOpen` names the one with
 * which to begin, once it is found.
 */
export function usePen<T extends { id: string }>(entries: readonly T[], leftOpen?: () => string | undefined): Pen<T> {
  const [edited, setEdited] = useState<{ entry: T; index: number }>();
  const [first, setFirst] = useState(leftOpen);
  const area = useUnsavedArea();
  const isGone = edited !== undefined && entries.every(({ id }) => id !== edited.entry.id);
  const shown = isGone ? entries.toSpliced(edited.index, 0, edited.entry) : entries;
  const take = (id: string | null) => {
    setFirst(undefined);
    const index = shown.findIndex((entry) => entry.id === id);
    const entry = shown[index];
    setEdited(entry && { entry, index });
  };
  if (first !== undefined && shown.some(({ id }) => id === first)) take(first);
  const latest = useLatest(take);
  const edit = useCallback(
    (id: string | null) => (id === null ? latest.current(id) : area.leave(() => latest.current(id))),
    [area, latest],
  );
  return { shown, editingId: edited?.entry.id, edit, area };
}
