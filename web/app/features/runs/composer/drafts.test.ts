import { expect, test } from 'vitest';
import { createDraftStore, type DraftStore } from './drafts.ts';

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

function open(kept: Parameters<typeof createDraftStore>[0], uid = 'ada', now?: () => number): DraftStore {
  const store = createDraftStore(kept, now);
  store.own(uid);
  return store;
}

test('a draft survives a reload, and each session has its own', () => {
  const kept = storage();
  open(kept).write('s1', 'half a thought');
  const reloaded = open(kept);
  expect(reloaded.read('s1')).toBe('half a thought');
  expect(reloaded.read('s2')).toBe('');
});

test('an emptied draft is gone after a reload', () => {
  const kept = storage();
  const drafts = open(kept);
  drafts.write('s1', 'x');
  drafts.write('s1', '');
  expect(drafts.read('s1')).toBe('');
  expect([...kept.kept]).toEqual([]);
});

test('another account sees nothing of it, and takes nothing away', () => {
  const kept = storage();
  const drafts = open(kept);
  drafts.write('s1', 'mine');
  drafts.own('');
  expect(drafts.read('s1')).toBe('');
  drafts.own('bob');
  expect(drafts.read('s1')).toBe('');
  drafts.write('s1', 'his');
  drafts.clear();
  drafts.own('ada');
  expect(drafts.read('s1')).toBe('mine');
});

test('clear takes the person’s drafts and nothing else', () => {
  const kept = storage();
  kept.setItem('theme', 'dark');
  kept.setItem('draft:adam:s1', 'his');
  const drafts = open(kept);
  drafts.write('s1', 'a');
  drafts.write('s2', 'b');
  drafts.clear();
  expect([...kept.kept.keys()]).toEqual(['theme', 'draft:adam:s1']);
  expect(drafts.read('s1')).toBe('');
});

test('sent words are taken out, and what was typed meanwhile stays', () => {
  const drafts = open(storage());
  drafts.write('s1', 'Hello\nand more');
  drafts.take('s1', 'Hello');
  expect(drafts.read('s1')).toBe('and more');
  drafts.take('s1', 'Hello');
  expect(drafts.read('s1')).toBe('and more');
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
  const drafts = open(refusing);
  drafts.write('s1', 'kept in memory');
  expect(drafts.read('s1')).toBe('kept in memory');
});

/** Two tabs on one storage; a change in the first is reported to the second, as browsers do. */
function twoTabs() {
  const kept = storage();
  let time = 0;
  const here = open(kept, 'ada', () => time);
  const there = open(kept, 'ada', () => time);
  return {
    here,
    there,
    later: () => (time += 60_000),
    typeThere(text: string) {
      const before = kept.getItem('draft:ada:s1');
      there.write('s1', text);
      here.receive('draft:ada:s1', before, text === '' ? null : text);
    },
  };
}

test('a tab shows what another one writes, and that it was sent', () => {
  const { here, typeThere } = twoTabs();
  typeThere('from there');
  expect(here.read('s1')).toBe('from there');
  typeThere('');
  expect(here.read('s1')).toBe('');
});

test('what is being typed is not replaced; a minute later the last writing is shown', () => {
  const { here, typeThere, later } = twoTabs();
  here.write('s1', 'being typed');
  typeThere('from there');
  expect(here.read('s1')).toBe('being typed');
  later();
  typeThere('the last');
  expect(here.read('s1')).toBe('the last');
});

test('other words stay when another tab sends its own', () => {
  const { here, there, typeThere, later } = twoTabs();
  typeThere('theirs');
  here.write('s1', 'mine');
  later();
  there.write('s1', '');
  here.receive('draft:ada:s1', 'theirs', null);
  expect(here.read('s1')).toBe('mine');
});
