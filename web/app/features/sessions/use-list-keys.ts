import type { Session } from '@atelier/contract/sessions';
import type { KeyboardEvent } from 'react';
import type { Picking } from './use-picking.ts';

export interface ListKeys {
  sessions: readonly Session[];
  picking: Picking;
  onRename: (session: Session) => void;
  onDelete: (sessions: readonly Session[]) => void;
}

const rowsOf = (list: Element) => [...list.querySelectorAll<HTMLElement>('[data-session]')];

/**
 * The keys of the list, while one of its sessions has the focus: arrows move, with Shift they select, Space selects, F2 renames, Delete
 * deletes what is selected or the one session, Esc ends selecting.
 */
export function listKeys({ sessions, picking, onRename, onDelete }: ListKeys) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-session]') : null;
    const session = sessions.find(({ id }) => id === row?.dataset.session);
    if (row === null || session === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      if (session !== undefined && picking.on && event.key === 'a' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        picking.pickAll();
      }
      return;
    }
    const act = actionOf(event, row, session, { sessions, picking, onRename, onDelete });
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}

function actionOf(event: KeyboardEvent<HTMLElement>, row: HTMLElement, session: Session, keys: ListKeys) {
  const { sessions, picking, onRename, onDelete } = keys;
  const goTo = (find: (rows: HTMLElement[], at: number) => HTMLElement | undefined) => () => {
    const rows = rowsOf(event.currentTarget);
    const next = find(rows, rows.indexOf(row));
    next?.focus();
    if (!event.shiftKey || next?.dataset.session === undefined) return;
    if (!picking.picked.has(session.id)) picking.pick(session.id);
    picking.pick(next.dataset.session, true);
  };
  const chosen = sessions.filter(({ id }) => picking.picked.has(id));
  // A map and no object: a key's name comes from outside.
  const actions = new Map<string, () => void>([
    ['ArrowDown', goTo((rows, at) => rows[at + 1])],
    ['ArrowUp', goTo((rows, at) => rows[at - 1])],
    ['Home', goTo((rows) => rows[0])],
    ['End', goTo((rows) => rows.at(-1))],
    [' ', () => picking.pick(session.id, event.shiftKey)],
    ['F2', () => onRename(session)],
    ['Delete', () => onDelete(chosen.length > 0 ? chosen : [session])],
  ]);
  if (picking.on) actions.set('Escape', picking.stop);
  return actions.get(event.key);
}
