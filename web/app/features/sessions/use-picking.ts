import { type RefObject, useRef, useState } from 'react';
import { useWishes } from '../../lib/wishes.ts';
import { toggled } from '../../ui/list/toggled.ts';

/** Which sessions of the list are selected. */
export interface Picking {
  /** Whether the list shows checkboxes. */
  on: boolean;
  picked: ReadonlySet<string>;
  /** Selects one, or no longer; with `range`, everything from the last one to here. */
  pick: (id: string, range?: boolean) => void;
  pickAll: () => void;
  start: () => void;
  stop: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Selects sessions by mouse and keyboard; `order` is the list as it is shown. */
export function usePicking(order: readonly string[]): Picking {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const anchor = useRef<string>(undefined);
  // What has left the list, here or in another tab, is not selected any more.
  const present = new Set(order);
  const picked = chosen === null ? NONE : new Set([...chosen].filter((id) => present.has(id)));
  const pick = (id: string, range = false) => {
    const [from, to] = [order.indexOf(anchor.current ?? id), order.indexOf(id)].toSorted((a, b) => a - b);
    if (range && from !== undefined && to !== undefined && from >= 0) {
      setChosen(new Set([...picked, ...order.slice(from, to + 1)]));
    } else {
      setChosen(toggled(picked, id));
      anchor.current = id;
    }
  };
  return {
    on: chosen !== null,
    picked,
    pick,
    pickAll: () => setChosen(present),
    start: () => setChosen(NONE),
    stop: () => {
      anchor.current = undefined;
      setChosen(null);
    },
  };
}

const SELECT = ['select-sessions'] as const;

/** Begins to select when the palette asks for it, with the focus in the list. */
export function useSelectWish({ start }: Picking, list: RefObject<HTMLElement | null>): void {
  useWishes(SELECT, () => {
    list.current?.focus();
    start();
  });
}
