import { createListeners } from '../../ui/shared-value.ts';
import { freshId } from './fresh-id.ts';
import { createVisits, type Visit } from './visits.ts';
import { attempt, createWords, type KeyValue, keysOf, WORDS, type Words } from './words.ts';

/** Where each tab leaves a copy of its own words when its sign-in has ended, in case it is closed; the person, `:` and the tab follow. */
const TAB_COPY = 'left:';
const TAB = 'tab';
/** How the names of a tab's own words begin that belong to a message; its session follows. */
const UNSENT = ['outbox:', 'attached:', 'contact'];

/** Where words are kept. */
export interface Places {
  /** The storage of all tabs, which outlives them; null if the browser has none. */
  shared: KeyValue | null;
  /** The tab's own storage. */
  own: KeyValue | null;
  now?: () => number;
  /** Called when nothing of a visit may stay, wherever else it is kept. */
  onOver?: () => void;
}

/** What a visitor wrote to us. It stays with the tab until somebody signs in. */
const OF_VISITOR = `${WORDS}:`;
const removeAll = (storage: KeyValue | null, keys: string[]) => {
  for (const key of keys) attempt(() => storage?.removeItem(key));
};

/** The words of the person whose visit goes on, and the ways to forget them. */
function createPile({ shared, own, now = Date.now, onOver = () => {} }: Places) {
  const visits = createVisits(shared, own, now);
  const listeners = createListeners();
  const uid = () => visits.shown()?.uid ?? '';
  const words = { shared: createWords(shared, uid), own: createWords(own, uid) };
  const show = (next: Visit | null) => {
    visits.show(next);
    words.shared.forgetRefused();
    words.own.forgetRefused();
    listeners.tell();
  };
  const forgetHere = () => {
    visits.leaveTab();
    removeAll(
      own,
      keysOf(own, WORDS).filter((key) => !key.startsWith(OF_VISITOR)),
    );
    show(null);
  };
  const forget = () => {
    visits.remove();
    removeAll(shared, keysOf(shared, WORDS, TAB_COPY));
    removeAll(own, keysOf(own, OF_VISITOR));
    forgetHere();
    onOver();
  };
  return {
    visits,
    words,
    tabCopies: createTabCopies(shared, words.own, uid, tabOf(own)),
    listeners,
    show,
    forgetHere,
    forget,
    /** The visit that goes on in this browser; one that waited too long is forgotten. */
    current(): Visit | null {
      const stored = visits.read();
      if (stored === null || !visits.isTooOld(stored)) return stored;
      forget();
      return null;
    },
    /** Forgets what others left whose visit nobody noted, and what a visitor wrote. */
    forgetOthers(person: string) {
      const isOthers = (key: string) => !key.startsWith(`${WORDS}${person}:`);
      for (const storage of [shared, own]) removeAll(storage, keysOf(storage, WORDS).filter(isOthers));
    },
  };
}

/**
 * What a person typed and did not send or save, kept by account. It outlives a sign-in that ends by itself, for `KEPT_MS`, and is forgotten
 * when they sign out or somebody else signs in: then the visit is over, in every tab, also in one that sleeps meanwhile.
 */
export function createTyped(places: Places) {
  const { visits, words, tabCopies, listeners, ...pile } = createPile(places);
  let present = false;
  return {
    /** What all tabs share. */
    shared: words.shared,
    /** What belongs to this tab. */
    own: words.own,
    tabCopies,
    /** Calls `listener` when other words than before are to be shown. Returns a function that stops. */
    subscribe: listeners.subscribe,
    /** Whether the person is signed in: what they close now, they close on purpose. */
    isPresent: () => present,
    /** Somebody is signed in: shows their words, and forgets those of others. */
    claim(person: string): void {
      const before = pile.current();
      const going = before?.uid === person ? before : null;
      const next = { id: going?.id ?? freshId(), uid: person };
      if (going === null || visits.isOfAnother(next)) present = false;
      if (before !== null && going === null) pile.forget();
      if (visits.isOfAnother(next)) pile.forgetHere();
      const isNew = visits.shown()?.id !== next.id;
      present = true;
      visits.join(next);
      if (isNew) pile.show(next);
      pile.forgetOthers(person);
      if (going === null || going.endedAt !== undefined) visits.save(next);
      tabCopies.takeBack();
    },
    /** Nobody is signed in any more: keeps the words if the sign-in ended by itself, and forgets them otherwise. */
    end(): void {
      present = false;
      const going = pile.current();
      if (going === null || visits.isOfAnother(going)) return pile.forgetHere();
      if (visits.shown()?.id !== going.id) pile.show(going);
      visits.save({ ...going, endedAt: going.endedAt ?? (places.now ?? Date.now)() });
      tabCopies.leave();
    },
    /** The person signs out: forgets everything, in every tab. */
    forget(): void {
      present = false;
      pile.forget();
    },
    /** Somebody signed out in another tab: forgets what this one still has of it. */
    recheck(): void {
      const shown = visits.shown();
      if (shown === null || (places.shared !== null && pile.current()?.id === shown.id)) return;
      present = false;
      pile.forgetHere();
    },
    /** Takes over what a closed tab left. */
    adopt(tab: string): void {
      tabCopies.adopt(tab);
      listeners.tell();
    },
    /** How many messages are written, and not sent, in this tab or for all of them. */
    unsent: () => countUnsent(words),
    /** Whether anything waits for the person. */
    hasWords: () => [...words.shared.names(), ...words.own.names(), ...tabCopies.tabs()].length > 0,
  };
}

function countUnsent({ shared, own }: { shared: Words; own: Words }): number {
  const written = shared.names().filter((name) => shared.read(name)?.trim() !== '');
  const here = UNSENT.flatMap((prefix) => own.names(prefix).map((name) => name.slice(prefix.length)));
  return new Set([...written, ...here]).size;
}

/** The tab's id, for as long as it is open: a reload and a look at another site don't change it. */
function tabOf(own: KeyValue | null): string {
  const tab = attempt(() => own?.getItem(TAB)) ?? freshId();
  attempt(() => own?.setItem(TAB, tab));
  return tab;
}

/** The copies that tabs leave of their own words. */
function createTabCopies(shared: KeyValue | null, own: ReturnType<typeof createWords>, uid: () => string, tab: string) {
  const keyOf = (of: string) => `${TAB_COPY}${uid()}:${of}`;
  const tabs = () => keysOf(shared, keyOf('')).map((key) => key.slice(keyOf('').length));
  return {
    tab,
    tabs,
    /** Whether this tab left any. */
    isLeft: () => tabs().includes(tab),
    leave() {
      const mine = own.names().map((name) => [name, own.read(name)]);
      if (mine.length > 0) attempt(() => shared?.setItem(keyOf(tab), JSON.stringify(Object.fromEntries(mine))));
    },
    takeBack: () => removeAll(shared, [keyOf(tab)]),
    /** What this tab has of the same name stays. */
    adopt(from: string) {
      const stored: unknown = attempt(() => JSON.parse(shared?.getItem(keyOf(from)) ?? '{}'));
      for (const [name, text] of Object.entries(stored ?? {})) {
        if (typeof text === 'string' && own.read(name) === null) own.write(name, text);
      }
      removeAll(shared, [keyOf(from)]);
    },
  };
}
