import type { Tx } from '../database/database.ts';

/** When a job may run, and which other job makes it superfluous. */
interface SendOptions {
  startAfterSeconds?: number;
  /** While a job with the same key waits in the queue, another one is not added: the waiting one gets these data and the earlier time. */
  singletonKey?: string;
}

/** A job to send. */
export interface NewJob extends SendOptions {
  queue: string;
  data: object;
}

/** Each minute, or every so many minutes. */
export type Cron = '* * * * *' | `*/${number} * * * *`;

interface QueueOptions {
  /** How often a job that fails is tried again (3). */
  retryLimit?: number;
  /** Adds a job by itself. Of several processes, one does. */
  cron?: Cron;
  /** How many jobs run in parallel in each process (1). */
  atOnce?: number;
  /** For work that nobody waits for: it begins this long after its commit, so that what people wait for goes first. */
  pauseMs?: number;
}

/** Durable background work, begun by the commit that sends it. Jobs carry ids, never texts. */
export interface Jobs {
  /** Registers a queue and its handler. Call before `start`. A handler that throws is retried with back-off. */
  handle<T extends object>(queue: string, fn: (data: T) => Promise<void>, options?: QueueOptions): void;
  /** Enqueues inside the caller's transaction: the job exists if and only if it commits. Throws before `start` has resolved. */
  send<T extends object>(tx: Tx, queue: string, data: T, options?: SendOptions): Promise<void>;
  /** The same for several jobs, also of different queues, in one statement. */
  sendAll(tx: Tx, jobs: NewJob[]): Promise<void>;
  /** Removes the jobs that have not begun and whose data have this `userId`. */
  removeWaiting(tx: Tx, userId: string): Promise<void>;
  /** Removes every job whose data have this `userId`, in portions. Running jobs continue, and find nothing left. */
  removeAll(userId: string): Promise<void>;
  start(): Promise<void>;
  /** Begins no more jobs. Running ones get two seconds; what is not done by then is tried again later. */
  stop(): Promise<void>;
}
