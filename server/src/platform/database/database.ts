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
  /**
   * Calls `fn` with each payload on `channel` after this resolves. Survives lost connections; `onGap` is called after one, because notices
   * may have been missed.
   */
  listen(channel: string, fn: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>;
  /** Runs a trivial query; rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Whether there is enough disk to keep writing; checked before a change begins, so running work has room to end. */
  hasRoom(): Promise<boolean>;
  close(): Promise<void>;
}
