import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** Drizzle's handle, the same type for PGlite and PostgreSQL; a transaction's handle fits too. */
export type Db = PgDatabase<PgQueryResultHKT>;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

export interface Database {
  readonly kind: 'pglite' | 'postgres';
  /** Throws at once inside a transaction of the same async context: use `tx` there. */
  readonly db: Db;
  /** Plain SQL for libraries that bring their own statements (pg-boss). */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  /** Once resolved, calls `fn` with each payload on `channel`. `onGap` follows a lost connection: notices may have been missed. */
  listen(channel: string, fn: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  /** Runs a trivial query; rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Only of a server: opens the connections that stay. Each reads about the tables, which its first statements would wait for. */
  warmUp?(): Promise<void>;
  /** Whether there is enough disk to keep writing; checked before a change begins, so running work has room to end. */
  hasRoom(): Promise<boolean>;
  /** Only of an embedded database in a folder. */
  readonly baseBackup?: BaseBackup;
  close(): Promise<void>;
}

/**
 * Lets another process copy the files of a running embedded database: `begin`, copy all but the log, `end`, copy the log, `release`. A copy
 * that is opened with the label that `end` returns has all that was acknowledged before `end`.
 */
export interface BaseBackup {
  /** Throws a sentence for the operator while another one is being made. */
  begin(): Promise<void>;
  end(): Promise<string>;
  /** Ends one that was given up, too. */
  release(): Promise<void>;
}
