import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from './database.ts';

/**
 * Makes a handle throw at once inside a transaction of the same context. On PGlite such a call waits forever behind the transaction that
 * waits for it; on PostgreSQL it drains the pool.
 */
export function createTransactionGuard() {
  const scopes = new AsyncLocalStorage<{ open: boolean }>();
  /** Throws inside a transaction, where only `tx` may be used. */
  const check = () => {
    if (scopes.getStore()?.open) {
      throw new Error(
        'The outer database handle was used inside a transaction: use the transaction’s own handle (tx).',
      );
    }
  };
  const inScope =
    (db: Db): Db['transaction'] =>
    async (work, config) => {
      check();
      const scope = { open: true };
      try {
        return await db.transaction((tx) => scopes.run(scope, () => work(tx)), config);
      } finally {
        // Work that is still running when the transaction ends may use the outer handle again.
        scope.open = false;
      }
    };
  const wrap = (db: Db): Db =>
    new Proxy(db, {
      get(target, property, receiver) {
        const value: unknown = Reflect.get(target, property, receiver);
        if (typeof value !== 'function') return value;
        if (property === 'transaction') return inScope(db);
        return (...args: unknown[]) => {
          check();
          return value.apply(target, args);
        };
      },
    });
  return { check, wrap };
}
