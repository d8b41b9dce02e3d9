import { AsyncLocalStorage } from 'node:async_hooks';
import type { PgTable } from 'drizzle-orm/pg-core';
import { vi } from 'vitest';
import type { TestApp } from './harness.ts';

// What others commit in the middle of a request. Restore the mocks after each test.

/** Set in what the test asks for from then on, and not in jobs, which may begin transactions at any time. */
const asked = new AsyncLocalStorage<true>();

/** Commits `between` before the next transaction that the test asks for. */
export function beforeTransaction({ deps: { db } }: TestApp, between: () => Promise<unknown>): void {
  const begin = db.transaction.bind(db);
  asked.enterWith(true);
  const spy = vi.spyOn(db, 'transaction');
  const arm = () =>
    spy.mockImplementationOnce(async (...work) => {
      if (asked.getStore()) await between();
      const done = begin(...work);
      if (!asked.getStore()) arm();
      return done;
    });
  arm();
}

/** Commits `between` before the next row of a table, outside of transactions. */
export function beforeInsert({ deps: { db } }: TestApp, into: PgTable, between: () => Promise<unknown>): void {
  const insert = db.insert.bind(db);
  let isDone = false;
  vi.spyOn(db, 'insert').mockImplementation((table) => {
    const begun = insert(table);
    if (isDone || table !== into) return begun;
    isDone = true;
    const values = begun.values.bind(begun);
    begun.values = (...rows: Parameters<typeof values>) => {
      const query = values(...rows);
      const execute = query.execute.bind(query);
      query.execute = async (...given) => {
        await between();
        return execute(...given);
      };
      return query;
    };
    return begun;
  });
}
