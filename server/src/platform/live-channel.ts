import { randomUUID } from 'node:crypto';
import { type Topic, topic } from '@atelier/contract/live';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from './database/database.ts';
import type { Live, LiveListener } from './live.ts';
import { parsedJson } from './parsed-json.ts';

/** Parses a notice; null if invalid. Anyone who may connect, or a newer version, can notify: an error would end the process. */
export function readNotice<T>(schema: z.ZodType<T>, payload: string): T | null {
  return schema.safeParse(parsedJson(payload)).data ?? null;
}

/** The channel of change notices. Database triggers write to it too, hence the short names. */
const CHANNEL = 'atelier_change';
const notice = z.object({ u: z.string(), t: topic, i: z.string() });

/** Tells every process of a change; for those that listen to none themselves, too. */
export const notifyChange: Live['notify'] = async (tx, u, t, i) => {
  await tx.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify({ u, t, i })})`);
};

/** Of so many accounts the last change is known. */
const ACCOUNTS_MAX = 10_000;

/** Counts what is told, so that a page that has just read everything needn't read it again when its stream begins. */
export function createPositions(accountsMax = ACCOUNTS_MAX): Pick<Live, 'position' | 'isCurrent'> & {
  advance: (uid: string) => void;
} {
  const process = randomUUID();
  const byAccount = new Map<string, number>();
  let count = 0;
  let ofEveryone = 0;
  return {
    advance(uid) {
      count += 1;
      if (uid !== '*' && byAccount.size < accountsMax) return void byAccount.set(uid, count);
      byAccount.clear();
      ofEveryone = count;
    },
    position: () => `${process}.${count}`,
    isCurrent(uid, position) {
      const [here, at] = position.split('.');
      return here === process && Math.max(ofEveryone, byAccount.get(uid) ?? 0) <= Number(at);
    },
  };
}

/** Listens once for this process and passes changes to the connected readers. Uid `*` reaches everyone. */
export async function createLive(database: Database): Promise<Live> {
  const listeners = new Map<string, Set<LiveListener>>();
  const { advance, position, isCurrent } = createPositions();

  const emit: Live['emit'] = (uid, message) => {
    advance(uid);
    const reached = uid === '*' ? [...listeners.values()].flatMap((set) => [...set]) : [...(listeners.get(uid) ?? [])];
    for (const listener of reached) listener(message);
  };

  // A notice to everyone costs one message per listener, however many of them one account causes.
  const toAll = new Map<Topic, ReturnType<typeof mergeNotices>>();
  const tellAll = (about: Topic, id: string) => {
    const merged =
      toAll.get(about) ?? mergeNotices((i) => emit('*', { event: 'changed', data: { topic: about, id: i } }));
    toAll.set(about, merged);
    merged.put(id);
  };

  const stop = await database.listen(
    CHANNEL,
    (payload) => {
      const read = readNotice(notice, payload);
      if (read === null) return;
      const { u, t, i } = read;
      if (u === '*') tellAll(t, i);
      else emit(u, { event: 'changed', data: { topic: t, id: i } });
    },
    // Notices were missed while the connection was lost: everyone refetches.
    () => emit('*', { event: 'hello', data: { at: new Date().toISOString() } }),
  );

  return {
    emit,
    position,
    isCurrent,
    notify: notifyChange,
    subscribe: (uid, listener) => {
      const set = listeners.get(uid) ?? new Set();
      listeners.set(uid, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(uid) === set) listeners.delete(uid);
      };
    },
    hasListeners: (uid) => listeners.has(uid),
    close: () => {
      for (const merged of toAll.values()) merged.stop();
      return stop();
    },
  };
}

/** Notices of one topic are sent at most this often. */
export const MERGE_MS = 250;
/** More changes than this in between become one notice without an id: anything in the topic may have changed. */
const SINGLE_MAX = 5;

/** Passes ids on: the first at once, later ones within `MERGE_MS` together and each once. The last is never lost. */
export function mergeNotices(tell: (id: string) => void): { put(id: string): void; stop(): void } {
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    const ids = changed.size > SINGLE_MAX ? [''] : [...changed];
    changed.clear();
    timer = ids.length > 0 ? setTimeout(flush, MERGE_MS) : undefined;
    for (const id of ids) tell(id);
  };
  return {
    put(id) {
      changed.add(id);
      if (timer === undefined) flush();
    },
    stop: () => clearTimeout(timer),
  };
}
