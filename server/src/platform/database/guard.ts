import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db } from './database.ts';

interface Scope {
  open: boolean;
}

/** Knows for each asynchronous context whether it is in a transaction. */
interface TransactionGuard {
  /** Throws inside a transaction, where only `tx` may be used. */
  check(): void;
  wrap(db: Db): Db;
}

/**
 * Makes a handle throw at once inside a transaction of the same context. On PGlite such a call waits forever behind the transaction that
 * waits for it; on PostgreSQL it drains the pool.
 */
export function createTransactionGuard(): TransactionGuard {
  const scopes = new AsyncLocalStorage<Scope>();
  const check = () => {
    if (scopes.getStore()?.open) {
      throw new Error(
        'The outer database handle was used inside a transaction: use the transaction’s own handle (tx).',
      );
    }
  };
  return {
    check,
    wrap(db) {
      return new Proxy(db, {
        get(target, property, receiver) {
          const value: unknown = Reflect.get(target, property, receiver);
          if (typeof value !== 'function') return value;
          if (property === 'transaction') return inScope(db, scopes, check);
          return (...args: unknown[]) => {
            check();
            return value.apply(target, args);
          };
        },
      });
    },
  };
}

function inScope(db: Db, scopes: AsyncLocalStorage<Scope>, check: () => void): Db['transaction'] {
  return async (work, config) => {
    check();
    const scope = { open: true };
    try {
      return await db.transaction((tx) => scopes.run(scope, () => work(tx)), config);
    } finally {
      // Work that is still running when the transaction ends may use the outer handle again.
      scope.open = false;
    }
  };
}
