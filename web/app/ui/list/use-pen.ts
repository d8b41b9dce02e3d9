import { useState } from 'react';

export interface Pen<T> {
  /** The list, with the entry being edited even if it is no longer found. */
  shown: readonly T[];
  editingId: string | undefined;
  edit: (id: string | null) => void;
}

/** Which entry of a list is being edited. It stays in its place, whatever the filters say or others change. */
export function usePen<T extends { id: string }>(found: readonly T[]): Pen<T> {
  const [held, hold] = useState<{ entry: T; place: number }>();
  const isGone = held !== undefined && found.every(({ id }) => id !== held.entry.id);
  const shown = isGone ? found.toSpliced(held.place, 0, held.entry) : found;
  const edit = (id: string | null) => {
    const place = shown.findIndex((entry) => entry.id === id);
    const entry = shown[place];
    hold(entry && { entry, place });
  };
  return { shown, editingId: held?.entry.id, edit };
}
