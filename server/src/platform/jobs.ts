import type { Tx } from './database/database.ts';

/** Durable background work. Jobs carry ids, never texts. */
export interface Jobs {
  /**
   * Registers a queue and its handler, `atOnce` jobs in parallel (1). Call before `start`. A handler that throws is retried with back-off.
   */
  handle<T extends object>(
    queue: string,
    fn: (data: T) => Promise<void>,
    options?: { retryLimit?: number; cron?: string; atOnce?: number },
  ): void;
  /** Enqueues inside the caller's transaction: the job exists if and only if it commits. Throws before `start` has resolved. */
  send<T extends object>(
    tx: Tx,
    queue: string,
    data: T,
    options?: { startAfterSeconds?: number; singletonKey?: string },
  ): Promise<void>;
  /** Removes every job whose data have this `userId`. Running jobs continue, and find nothing left. */
  removeOf(tx: Tx, userId: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}
