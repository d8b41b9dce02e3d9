import { SENTENCES } from '@atelier/contract/errors';
import type { Context, Next } from 'hono';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Outage } from '../outage.ts';

/** After a write was refused for lack of room, the disk counts as full for this long. Reading alone would not notice. */
const FULL_COUNTS_MS = 5_000;
/** It refuses every change, so it is logged once per this many milliseconds. */
const FULL_LOG_MS = 60_000;
/** Deleting frees room, so it is allowed. */
const FREE = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

/** What stops this server from serving: a database that doesn't answer, a full disk. */
export function createHealth(database: Database, log: Log) {
  let fullSince = Number.NEGATIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const requireRoom = async () => {
    if (await database.hasRoom()) return;
    if (performance.now() - loggedAt > FULL_LOG_MS) {
      loggedAt = performance.now();
      log.info('database.full', { next: 'Changes are refused until the disk of the data folder has room: free some.' });
    }
    throw new AppError('unavailable', SENTENCES.diskFull);
  };
  return {
    onOutage(outage: Outage) {
      if (outage === 'full') fullSince = performance.now();
    },
    /** Throws 503 with the reason while the server can't serve everything. */
    async check(): Promise<void> {
      await database.ping().catch((cause: unknown) => {
        throw new AppError('unavailable', 'The database does not answer.', { cause });
      });
      await requireRoom();
      if (performance.now() - fullSince < FULL_COUNTS_MS) throw new AppError('unavailable', SENTENCES.diskFull);
    },
    /** Middleware that refuses a change with 503 before it begins, when there is no room for it to end. */
    async refuseChanges(c: Context, next: Next): Promise<void> {
      if (!FREE.has(c.req.method)) await requireRoom();
      await next();
    },
  };
}

export type Health = ReturnType<typeof createHealth>;
