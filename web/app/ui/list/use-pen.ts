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
export function usePen<T extends { id: string }>(found: readonly T[], leftOpen?: () => string | undefined): Pen<T> {
  const [held, hold] = useState<{ entry: T; place: number }>();
  const [first, setFirst] = useState(leftOpen);
  const isGone = held !== undefined && found.every(({ id }) => id !== held.entry.id);
  const shown = isGone ? found.toSpliced(held.place, 0, held.entry) : found;
  const edit = (id: string | null) => {
    setFirst(undefined);
    const place = shown.findIndex((entry) => entry.id === id);
    const entry = shown[place];
    hold(entry && { entry, place });
  };
  if (first !== undefined && shown.some(({ id }) => id === first)) edit(first);
  return { shown, editingId: held?.entry.id, edit };
}
