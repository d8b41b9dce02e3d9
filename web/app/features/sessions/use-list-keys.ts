import type { Session } from '@atelier/contract/sessions';
import { type FocusEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Picking } from './use-picking.ts';

/** A folder or a session of the list, as it is shown from top to bottom. */
export interface ListRow {
  id: string;
  name: string;
  session?: Session;
}

export interface ListKeys {
  rows: readonly ListRow[];
  /** The session that is open. */
  selectedId: string | null;
  list: RefObject<HTMLElement | null>;
  /** The selected sessions, in the list's order. */
  picked: readonly Session[];
  picking: Picking;
  onRename: (session: Session) => void;
  onDelete: (sessions: readonly Session[]) => void;
}

/** Letters typed within this time are one word, in milliseconds. */
const WORD_MS = 1000;

/**
 * The list is one tab stop. Up, Down, Home and End go to a row, and letters to one whose name begins with them; Right and Left go to its
 * buttons and back, and the menu key or Shift+F10 opens its menu. With Shift the arrows select, as Space does; F2 renames, Delete deletes
 * what is selected or the one session, Esc ends selecting.
 */
export function useListKeys(keys: ListKeys) {
  const { rows, selectedId, list } = keys;
  const [lastId, setLastId] = useState<string | null>(null);
  const word = useRef({ text: '', at: 0 });
  const stop = [lastId, selectedId].find((id) => rows.some((row) => row.id === id)) ?? rows[0]?.id ?? null;
  const focusRow = ({ id }: ListRow) => {
    // It may not be rendered before.
    flushSync(() => setLastId(id));
    list.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const place = placeOf(event);
    const at = rows.findIndex(({ id }) => id === place?.id);
    const row = rows[at];
    if (place === undefined || row === undefined) return;
    const goTo = (next: ListRow | undefined) => () => {
      if (next) focusRow(next);
      if (!event.shiftKey || !row.session || !next?.session) return;
      if (!keys.picking.picked.has(row.id)) keys.picking.pick(row.id);
      keys.picking.pick(next.id, true);
    };
    const moves = new Map([
      ['ArrowDown', goTo(rows[at + 1])],
      ['ArrowUp', goTo(rows[at - 1])],
      ['Home', goTo(rows[0])],
      ['End', goTo(rows.at(-1))],
    ]);
    const plain = () => moves.get(event.key) ?? actionsOf(event, row, place, keys).get(event.key) ?? typed(event, at);
    const withCommand = event.ctrlKey || event.metaKey || event.altKey;
    const all = event.key === 'a' && !event.altKey && keys.picking.on ? keys.picking.pickAll : undefined;
    const act = withCommand ? all : plain();
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  /** Goes to the next row whose name begins with what is typed; one letter goes on from row to row. */
  const typed = ({ key, timeStamp }: KeyboardEvent, at: number) => {
    if ([...key].length !== 1) return undefined;
    const before = timeStamp - word.current.at < WORD_MS ? word.current.text : '';
    const text = `${before}${key}`.toLowerCase();
    word.current = { text, at: timeStamp };
    const from = text.length === 1 ? at + 1 : at;
    const target = [...rows.slice(from), ...rows.slice(0, from)].find(({ name }) =>
      name.toLowerCase().startsWith(text),
    );
    return target && (() => focusRow(target));
  };
  const onFocus = ({ target }: FocusEvent) => setLastId(rowOf(target)?.dataset.row ?? lastId);
  return { stop, onKeyDown, onFocus };
}

const rowOf = (inside: Element) => inside.closest('li')?.querySelector<HTMLElement>('[data-row]');

interface Place {
  id: string | undefined;
  /** The row's link or button, and what stands beside it. */
  buttons: HTMLElement[];
  /** Which of them has the focus. */
  at: number;
}

/** Where a key was pressed. A row's menu is no part of the row, though React counts it as inside. */
function placeOf({ target, currentTarget }: KeyboardEvent<HTMLElement>): Place | undefined {
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return undefined;
  const row = rowOf(target);
  const buttons = [...(row?.closest('li')?.querySelectorAll<HTMLElement>('a, button') ?? [])];
  return buttons.includes(target) ? { id: row?.dataset.row, buttons, at: buttons.indexOf(target) } : undefined;
}

/** What the keys do that move to no other row. */
function actionsOf({ shiftKey }: KeyboardEvent, { session }: ListRow, { buttons, at }: Place, keys: ListKeys) {
  const { picked, picking, onRename, onDelete } = keys;
  const openMenu = () => buttons.find((button) => button.matches('[aria-haspopup=menu]'))?.click();
  // A map and no object: a key's name comes from outside.
  const actions = new Map<string, () => void>([
    ['ArrowRight', () => buttons[at + 1]?.focus()],
    ['ArrowLeft', () => buttons[at - 1]?.focus()],
    ['ContextMenu', openMenu],
  ]);
  if (shiftKey) actions.set('F10', openMenu);
  if (session === undefined || at > 0) return actions;
  actions.set(' ', () => picking.pick(session.id, shiftKey));
  actions.set('F2', () => onRename(session));
  actions.set('Delete', () => onDelete(picked.length > 0 ? picked : [session]));
  if (picking.on) actions.set('Escape', picking.stop);
  return actions;
}
