import type { Session } from '@atelier/contract/sessions';
import type { KeyboardEvent } from 'react';
import type { Picking } from './use-picking.ts';

export interface ListKeys {
  /** The selected sessions, in the list's order. */
  picked: readonly Session[];
  picking: Picking;
  onRename: (session: Session) => void;
  onDelete: (sessions: readonly Session[]) => void;
}

/** The sessions of the list that this one is in, from top to bottom. */
const rowsAround = (row: Element) => [...(row.closest('nav')?.querySelectorAll<HTMLElement>('[data-session]') ?? [])];

/**
 * The keys of a session that has the focus: arrows move, with Shift they select, Space selects, F2 renames, Delete deletes what is
 * selected or the one session, Esc ends selecting.
 */
export function listKeys(keys: ListKeys) {
  return (session: Session, event: KeyboardEvent<HTMLElement>) => {
    const withCommand = event.ctrlKey || event.metaKey;
    const all = withCommand && event.key === 'a' && keys.picking.on ? keys.picking.pickAll : undefined;
    const act = withCommand || event.altKey ? all : actionOf(event, session, keys);
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}

function actionOf(event: KeyboardEvent<HTMLElement>, session: Session, keys: ListKeys) {
  const { picked, picking, onRename, onDelete } = keys;
  const goTo = (find: (rows: HTMLElement[], at: number) => HTMLElement | undefined) => () => {
    const rows = rowsAround(event.currentTarget);
    const next = find(rows, rows.indexOf(event.currentTarget));
    next?.focus();
    if (!event.shiftKey || next?.dataset.session === undefined) return;
    if (!picking.picked.has(session.id)) picking.pick(session.id);
    picking.pick(next.dataset.session, true);
  };
  // A map and no object: a key's name comes from outside.
  const actions = new Map<string, () => void>([
    ['ArrowDown', goTo((rows, at) => rows[at + 1])],
    ['ArrowUp', goTo((rows, at) => rows[at - 1])],
    ['Home', goTo((rows) => rows[0])],
    ['End', goTo((rows) => rows.at(-1))],
    [' ', () => picking.pick(session.id, event.shiftKey)],
    ['F2', () => onRename(session)],
    ['Delete', () => onDelete(picked.length > 0 ? picked : [session])],
  ]);
  if (picking.on) actions.set('Escape', picking.stop);
  return actions.get(event.key);
}
