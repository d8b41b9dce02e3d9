import { expect, test } from 'vitest';
import { memoryStorage } from '../../../lib/typed/memory-storage.ts';
import { createWords, type KeyValue } from '../../../lib/typed/words.ts';
import { createDraftStore } from './drafts.ts';

const open = (kept: KeyValue, now?: () => number) =>
  createDraftStore(
    createWords(kept, () => 'ada'),
    now,
  );

test('a draft survives a reload, and each session has its own', () => {
  const kept = memoryStorage();
  open(kept).write('s1', 'half a thought');
  const reloaded = open(kept);
  expect(reloaded.read('s1')).toBe('half a thought');
  expect(reloaded.read('s2')).toBe('');
});

test('an emptied draft is gone after a reload', () => {
  const kept = memoryStorage();
  const drafts = open(kept);
  drafts.write('s1', 'x');
  drafts.write('s1', '');
  expect(drafts.read('s1')).toBe('');
  expect(kept.length).toBe(0);
});

test('sent words are taken out, and what was typed meanwhile stays', () => {
  const drafts = open(memoryStorage());
  drafts.write('s1', 'Hello\nand more');
  drafts.take('s1', 'Hello');
  expect(drafts.read('s1')).toBe('and more');
  drafts.take('s1', 'Hello');
  expect(drafts.read('s1')).toBe('and more');
});

test('typing goes on where the browser refuses to store', () => {
  const refusing = {
    ...memoryStorage(),
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
  const kept = memoryStorage();
  let time = 0;
  const here = open(kept, () => time);
  const there = open(kept, () => time);
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
