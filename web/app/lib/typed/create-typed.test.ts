import { expect, test, vi } from 'vitest';
import { createTyped } from './create-typed.ts';
import { memoryStorage } from './memory-storage.ts';
import { KEPT_MS } from './visits.ts';
import type { KeyValue } from './words.ts';

/** A browser whose tabs are opened, and loaded again, at a time that the test sets. */
function browser() {
  const shared = memoryStorage();
  const onOver = vi.fn();
  let time = 1_000_000;
  return {
    shared,
    onOver,
    later: (ms: number) => (time += ms),
    tab: (own: KeyValue = memoryStorage()) => createTyped({ shared, own, now: () => time, onOver }),
  };
}

/** Everything in a storage, as text. */
const all = (storage: KeyValue) =>
  Array.from({ length: storage.length }, (_, at) => storage.getItem(storage.key(at) ?? '')).join();

function adaTypes(tab: ReturnType<ReturnType<typeof browser>['tab']>) {
  tab.claim('ada');
  tab.shared.write('s1', 'half a thought');
  tab.own.write('form:agent:', 'a long prompt');
}

test('words outlast a sign-in that ends by itself, with and without a reload, for the same person', () => {
  const { tab } = browser();
  const own = memoryStorage();
  const page = tab(own);
  adaTypes(page);
  page.end();
  expect(page.isPresent()).toBe(false);
  expect(page.hasWords()).toBe(true);
  // Sent to a provider's page and back.
  const back = tab(own);
  back.end();
  expect(back.hasWords()).toBe(true);
  back.claim('ada');
  expect(back.shared.read('s1')).toBe('half a thought');
  expect(back.own.read('form:agent:')).toBe('a long prompt');
  // Several times.
  back.end();
  back.claim('ada');
  expect(back.own.read('form:agent:')).toBe('a long prompt');
});

test('another account sees nothing, and leaves nothing behind for the one before', () => {
  const { tab, shared, onOver } = browser();
  const own = memoryStorage();
  const page = tab(own);
  adaTypes(page);
  own.setItem('draft:ada:contact', 'I found a saw.');
  page.end();
  page.claim('bob');
  expect(onOver).toHaveBeenCalledOnce();
  expect(page.shared.read('s1')).toBeNull();
  expect(page.hasWords()).toBe(false);
  for (const storage of [shared, own]) expect(all(storage)).not.toMatch(/thought|prompt|saw/u);
  page.end();
  page.claim('ada');
  expect(page.hasWords()).toBe(false);
});

test('signing out on purpose forgets, and nothing else in the storage', () => {
  const { tab, shared, onOver } = browser();
  shared.setItem('theme', 'dark');
  const page = tab();
  adaTypes(page);
  page.forget();
  expect(onOver).toHaveBeenCalledOnce();
  expect(page.hasWords()).toBe(false);
  expect(shared.length).toBe(1);
  page.claim('ada');
  expect(page.hasWords()).toBe(false);
});

test('a tab that slept through the sign-out has nothing left, and one that is told forgets at once', () => {
  const { tab } = browser();
  const own = memoryStorage();
  const asleep = tab(own);
  adaTypes(asleep);
  const told = tab();
  told.claim('ada');
  told.own.write('outbox:s2', 'not sent');
  const here = tab();
  here.claim('ada');
  here.forget();
  told.recheck();
  expect(told.own.read('outbox:s2')).toBeNull();
  here.claim('ada');
  told.claim('ada');
  told.own.write('outbox:s2', 'of the new visit');
  told.recheck();
  expect(told.own.read('outbox:s2')).toBe('of the new visit');
  asleep.end();
  expect(all(own)).not.toContain('prompt');
});

test('seven days after a sign-in has ended its words are forgotten, in a browser where nobody signs in too', () => {
  const { tab, later, shared, onOver } = browser();
  const page = tab();
  adaTypes(page);
  page.end();
  later(KEPT_MS - 1);
  tab().end();
  expect(all(shared)).toContain('half a thought');
  later(1);
  tab().end();
  expect(all(shared)).not.toMatch(/thought|prompt/u);
  expect(onOver).toHaveBeenCalledOnce();
  const signedIn = tab();
  adaTypes(signedIn);
  later(KEPT_MS * 2);
  signedIn.claim('ada');
  expect(signedIn.shared.read('s1')).toBe('half a thought');
});

test('what a closed tab had is taken over, and each open one has its own', () => {
  const { tab } = browser();
  const [closed, here] = [tab(), tab()];
  for (const [page, text] of [
    [closed, 'of the closed tab'],
    [here, 'of this tab'],
  ] as const) {
    page.claim('ada');
    page.own.write('attached:s1', text);
    page.end();
  }
  const fresh = tab();
  here.claim('ada');
  expect(here.own.read('attached:s1')).toBe('of this tab');
  fresh.claim('ada');
  expect(fresh.tabCopies.tabs()).toEqual([closed.tabCopies.tab]);
  fresh.adopt(closed.tabCopies.tab);
  expect(fresh.own.read('attached:s1')).toBe('of the closed tab');
  expect(fresh.tabCopies.tabs()).toEqual([]);
  here.adopt(closed.tabCopies.tab);
  expect(here.own.read('attached:s1')).toBe('of this tab');
});

test('unsent messages are counted once for each session; other words are none', () => {
  const page = browser().tab();
  page.claim('ada');
  expect(page.unsent()).toBe(0);
  page.shared.write('s1', 'half a thought');
  page.own.write('attached:s1', 'a file');
  page.own.write('outbox:s2', 'not sent');
  page.shared.write('s3', ' ');
  page.own.write('form:agent:', 'a prompt');
  page.own.write('contact', 'I found a saw.');
  expect(page.unsent()).toBe(3);
});

test('what a visitor wrote to us stays with the tab until somebody signs in, also for the second time', () => {
  const own = memoryStorage();
  const page = browser().tab(own);
  for (const person of ['ada', 'ada', 'bob']) {
    page.end();
    own.setItem('draft::contact', 'I found a saw.');
    page.end();
    expect(own.getItem('draft::contact')).toBe('I found a saw.');
    page.claim(person);
    expect(own.getItem('draft::contact')).toBeNull();
  }
});

test('where the browser refuses its storage, words last as long as the page', () => {
  const refuse = () => {
    throw new Error('denied');
  };
  const refusing = { getItem: refuse, setItem: refuse, removeItem: refuse, key: refuse, length: 1 };
  for (const places of [
    { shared: null, own: null },
    { shared: refusing, own: refusing },
  ]) {
    const page = createTyped(places);
    adaTypes(page);
    page.end();
    page.claim('ada');
    expect(page.own.read('form:agent:')).toBe('a long prompt');
    page.end();
    page.claim('bob');
    expect(page.own.read('form:agent:')).toBeNull();
    page.claim('ada');
    expect(page.own.read('form:agent:')).toBeNull();
  }
});

test('a text that no longer fits leaves no older one to come back', () => {
  const own = memoryStorage();
  const full = { ...own, length: 0, key: own.key };
  const page = createTyped({ shared: memoryStorage(), own: full });
  page.claim('ada');
  page.own.write('form:agent:', 'short');
  full.setItem = () => {
    throw new Error('full');
  };
  page.own.write('form:agent:', 'too long');
  expect(page.own.read('form:agent:')).toBe('too long');
  expect(own.getItem('draft:ada:form:agent:')).toBeNull();
});
