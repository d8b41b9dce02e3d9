import type { Database } from '../platform/database/database.ts';

const gone = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

/** Wraps a real database that can be taken away and given back, like its server or its disk: only access to it fails, its content stays. */
export function flakyDatabase(real: Database) {
  let isAway = false;
  let answersToLose = 0;
  let failures = 0;
  let failing: ('before' | 'after')[] = [];
  const fail = () => {
    failures += 1;
    throw gone();
  };
  const check = () => {
    if (isAway) fail();
  };
  const db = new Proxy(real.db, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== 'function') return value;
      const guarded = (...args: unknown[]) => {
        check();
        return value.apply(target, args);
      };
      if (property !== 'transaction') return guarded;
      // What awaits a transaction awaits its failure too.
      return async (...args: unknown[]) => {
        check();
        const when = failing.shift();
        if (when === 'before') fail();
        const result: unknown = await guarded(...args);
        if (when === 'after') fail();
        return result;
      };
    },
  });
  const database: Database = {
    ...real,
    db,
    executeSql: async (text, values) => {
      check();
      const result = await real.executeSql(text, values);
      if (answersToLose > 0 && text.includes('atelier_log_events')) {
        answersToLose -= 1;
        fail();
      }
      return result;
    },
    ping: async () => {
      check();
      await real.ping();
    },
  };
  return {
    database,
    /** From now on everything fails. */
    away: () => (isAway = true),
    back: () => (isAway = false),
    /** Stores the next `count` statements of the event log, but loses their replies. */
    loseAnswers: (count: number) => (answersToLose = count),
    /** Fails the next transactions: before they begin, or after they were committed. */
    failTransactions: (...when: ('before' | 'after')[]) => (failing = when),
    /** How many statements failed. */
    failures: () => failures,
  };
}
export type FlakyDatabase = ReturnType<typeof flakyDatabase>;
