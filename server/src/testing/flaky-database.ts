import type { Database } from '../platform/database/database.ts';

const gone = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

/** Wraps a real database that can be taken away and given back, like its server or its disk: only access to it fails, its content stays. */
export function flakyDatabase(real: Database) {
  let isAway = false;
  let answersToLose = 0;
  let failures = 0;
  const check = () => {
    if (!isAway) return;
    failures += 1;
    throw gone();
  };
  const db = new Proxy(real.db, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== 'function') return value;
      const guarded = (...args: unknown[]) => {
        check();
        return value.apply(target, args);
      };
      // What awaits a transaction awaits its failure too.
      return property === 'transaction' ? async (...args: unknown[]) => guarded(...args) : guarded;
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
        failures += 1;
        throw gone();
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
    /** How many statements failed. */
    failures: () => failures,
  };
}
export type FlakyDatabase = ReturnType<typeof flakyDatabase>;
