import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db, Tx } from '../../../platform/database/database.ts';

/** The handle for better-auth, and its open transaction in the current context. */
export function exposeTransaction(outer: Db) {
  const open = new AsyncLocalStorage<Tx>();
  const transaction: Db['transaction'] = (work, options) =>
    outer.transaction((tx) => open.run(tx, () => work(tx)), options);
  const db = new Proxy(outer, {
    get: (target, property) => (property === 'transaction' ? transaction : Reflect.get(target, property)),
  });
  return { db, currentTx: () => open.getStore() };
}
