import type { Session } from '@atelier/contract/sessions';
import { describe, expect, test } from 'vitest';
import {
  allSessions,
  changeInPages,
  dropSessions,
  lastUsedFirst,
  latestSessions,
  renamed,
  selectSession,
} from './session-pages.ts';
import { MAIN_VIEW } from './session-view.ts';
import { session } from './test-session.ts';

const pages = [
  { sessions: [session('c'), session('b')], nextCursor: 'x' },
  { sessions: [session('a')], nextCursor: null },
];

test('agents are in the order of their latest session, whether pinned or not', () => {
  const old = session('old', { agentId: 'cook', createdAt: '2025-12-01T00:00:00.000Z', pinned: true });
  const latest = latestSessions([{ sessions: [old, session('new')], nextCursor: null }]);
  expect(latest.map(({ id }) => id)).toEqual(['new', 'old']);
  const agents = ['tutor', 'cook', 'field-notes', 'scribe'].map((id) => ({ id }));
  expect(lastUsedFirst(agents, latest).map(({ id }) => id)).toEqual(['field-notes', 'cook', 'tutor', 'scribe']);
});

describe('selectSession', () => {
  const known = { session: session('a'), settled: true, failed: false };

  test('no address selects nothing', () => {
    expect(selectSession(null, known).state).toBe('none');
    expect(selectSession('', known).state).toBe('none');
  });

  test('a known id selects its session', () => {
    expect(selectSession('a', known)).toEqual({ state: 'selected', session: session('a') });
    expect(selectSession('a', { ...known, settled: false, failed: true }).state).toBe('selected');
  });

  test('a missing id is unknown only once it was asked for', () => {
    const missing = { session: undefined, settled: true, failed: false };
    expect(selectSession('z', { ...missing, settled: false }).state).toBe('loading');
    expect(selectSession('z', missing).state).toBe('unknown');
    expect(selectSession('z', { ...missing, failed: true }).state).toBe('failed');
  });
});

test('an inline edit ignores empty and unchanged names', () => {
  expect(renamed('Before', '   ')).toBeNull();
  expect(renamed('Before', ' Before ')).toBeNull();
  expect(renamed('Before', ' After ')).toBe('After');
});

test('a change touches its sessions, on whichever page, and takes away what no longer belongs there', () => {
  const names = (list: Session[]) => list.map((s) => s.name);
  const change = (ids: string[], over: Partial<Session>, view = MAIN_VIEW) =>
    allSessions(changeInPages(pages, view, new Set(ids), over));
  expect(names(change(['a'], { name: 'New' }))).toEqual(['Session: c', 'Session: b', 'New']);
  expect(names(change(['a'], { pinned: true }))).toEqual(['Session: a', 'Session: c', 'Session: b']);
  expect(names(change(['b', 'c'], { archived: true }))).toEqual(['Session: a']);
  expect(names(change(['b'], { folderId: 'f' }))).toEqual(['Session: c', 'Session: a']);
  expect(change(['b'], { folderId: 'f' }, { place: 'all', agentId: 'field-notes' })).toHaveLength(3);
  expect(change(['b'], { archived: false }, { place: 'archived', agentId: '' })).toHaveLength(2);
});

test('dropping takes sessions off every page', () => {
  expect(allSessions(dropSessions(pages, new Set(['a', 'b']))).map((s) => s.id)).toEqual(['c']);
});
