import type { Session } from '@atelier/contract/sessions';
import { describe, expect, test } from 'vitest';
import { allSessions, dropSession, renamed, renameSession, selectSession } from './session-pages.ts';

const session = (id: string): Session => ({
  id,
  name: `Session: ${id}`,
  createdAt: '2026-01-01T00:00:00.000Z',
  agentId: 'field-notes',
  agentName: 'Field Notes',
  agentDeleted: false,
});
const pages = [
  { sessions: [session('c'), session('b')], nextCursor: 'x' },
  { sessions: [session('a')], nextCursor: null },
];

describe('selectSession', () => {
  const list = { sessions: [session('a')], loaded: true, failed: false, hasMore: false };

  test('no address selects nothing', () => {
    expect(selectSession(null, list).state).toBe('none');
    expect(selectSession('', list).state).toBe('none');
  });

  test('a known id selects its session', () => {
    expect(selectSession('a', list)).toEqual({ state: 'selected', session: session('a') });
  });

  test('a missing id is unknown only once everything is loaded', () => {
    expect(selectSession('z', { ...list, loaded: false }).state).toBe('loading');
    expect(selectSession('z', { ...list, hasMore: true }).state).toBe('loading');
    expect(selectSession('z', list).state).toBe('unknown');
    expect(selectSession('z', { ...list, loaded: false, failed: true, hasMore: true }).state).toBe('failed');
    expect(selectSession('a', { ...list, loaded: false, failed: true }).state).toBe('selected');
  });
});

test('an inline edit ignores empty and unchanged names', () => {
  expect(renamed('Before', '   ')).toBeNull();
  expect(renamed('Before', ' Before ')).toBeNull();
  expect(renamed('Before', ' After ')).toBe('After');
});

test('renaming and dropping touch one session, on whichever page', () => {
  expect(allSessions(renameSession(pages, 'a', 'New')).map((s) => s.name)).toEqual(['Session: c', 'Session: b', 'New']);
  expect(allSessions(dropSession(pages, 'b')).map((s) => s.id)).toEqual(['c', 'a']);
});
