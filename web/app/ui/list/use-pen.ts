import { useState } from 'react';

export interface Pen<T> {
  /** The list, with the entry being edited even if it is no longer found. */
  shown: readonly T[];
  editingId: string | undefined;
  edit: (id: string | null) => void;
}

/**
 * Which entry of a list is being edited. It stays in its place, whatever the filters say or others change. `leftOpen` names the one with
 * which to begin, once it is found.
 */
export function usePen<T extends { id: string }>(entries: readonly T[], leftOpen?: () => string | undefined): Pen<T> {
  const [edited, setEdited] = useState<{ entry: T; index: number }>();
  const [first, setFirst] = useState(leftOpen);
  const isGone = edited !== undefined && entries.every(({ id }) => id !== edited.entry.id);
  const shown = isGone ? entries.toSpliced(edited.index, 0, edited.entry) : entries;
  const edit = (id: string | null) => {
    setFirst(undefined);
    const index = shown.findIndex((entry) => entry.id === id);
    const entry = shown[index];
    setEdited(entry && { entry, index });
  };
  if (first !== undefined && shown.some(({ id }) => id === first)) edit(first);
  return { shown, editingId: edited?.entry.id, edit };
}
