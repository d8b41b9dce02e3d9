import { expect, test } from 'vitest';
import { createDraftStore } from './drafts.ts';

/** A browser's storage, as far as drafts use it. */
function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    key: (i: number) => [...kept.keys()][i] ?? null,
    get length() {
      return kept.size;
    },
  };
}

test('a draft survives a reload, and each session has its own', () => {
  const kept = storage();
  createDraftStore(kept).write('s1', 'half a thought');
  const reloaded = createDraftStore(kept);
  expect(reloaded.read('s1')).toBe('half a thought');
  expect(reloaded.read('s2')).toBe('');
});

test('an emptied draft is gone after a reload', () => {
  const kept = storage();
  const drafts = createDraftStore(kept);
  drafts.write('s1', 'x');
  drafts.write('s1', '');
  expect(drafts.read('s1')).toBe('');
  expect(createDraftStore(kept).read('s1')).toBe('');
});

test('clear takes the drafts and nothing else', () => {
  const kept = storage();
  kept.setItem('theme', 'dark');
  const drafts = createDraftStore(kept);
  drafts.write('s1', 'a');
  drafts.write('s2', 'b');
  drafts.clear();
  expect([...kept.kept.keys()]).toEqual(['theme']);
  expect(drafts.read('s1')).toBe('');
});

test('typing goes on where the browser refuses to store', () => {
  const refusing = {
    ...storage(),
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('full');
    },
  };
  const drafts = createDraftStore(refusing);
  drafts.write('s1', 'kept in memory');
  expect(drafts.read('s1')).toBe('kept in memory');
});
