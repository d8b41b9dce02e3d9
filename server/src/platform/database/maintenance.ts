import { performance } from 'node:perf_hooks';
import type { PGlite } from '@electric-sql/pglite';
import type { Log } from '../log.ts';

/** How often to check whether something is due. */
const EVERY_MS = 5_000;
/** A process that responds later than this is busy. */
const IDLE_MS = 10;
/** A server that is never idle still gets a turn of maintenance every minute. */
const TURNS_MAX = 12;

/** The most statements at a start: each table twice, and some more. */
const CATCH_UP_MAX = 100;

/** A checkpoint after this much log. It writes what changed since the last one, so this also bounds its duration. */
const LOG_BYTES = 8 * 1024 * 1024;
/** A checkpoint after this time, if much was written. */
const CHECKPOINT_MS = 5 * 60_000;
const LOG_BYTES_MIN = 256 * 1024;

/**
 * Every change writes log, and only checkpoints free it. PGlite has neither checkpointer nor autovacuum, so we do both. These settings
 * limit how much log is kept for reuse; without them it is a gigabyte. Samples for statistics are a twentieth of the usual size, to save
 * time.
 */
export const MAINTENANCE_SETTINGS = ['min_wal_size=32MB', 'max_wal_size=64MB', 'default_statistics_target=5'];

/** The size of the log since the last checkpoint. Table counts are up to a second late unless requested. */
const LOG_SINCE = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes, pg_stat_force_next_flush()
  from pg_control_checkpoint()`;

/**
 * What is due for a table. A vacuum early and often, because one that finds little takes little: at most every thousand rows, however large
 * the table is. Statistics after a tenth has changed. Counts are lost when the process is killed, so a table without any history gets a
 * turn.
 */
const DUE = `
  with counted as (
    select format('%I.%I', schemaname, s.relname) as name, n_dead_tup as dead, n_ins_since_vacuum as added,
      n_mod_since_analyze as changed, greatest(c.reltuples, n_live_tup, 0) as rows,
      last_vacuum is null and pg_relation_size(s.relid) > 1000000 as unknown,
      exists (select from pg_statistic where starelid = s.relid) as analyzed, pg_relation_size(s.relid) > 50000 as filled
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid where c.relkind = 'r'
  ), due as (
    select *, greatest(dead / (50 + least(0.1 * rows, 950)), added / (500 + least(0.1 * rows, 500))) as unswept,
      changed / (50 + 0.1 * rows) as unmeasured, filled and not analyzed as guessed
    from counted
  )
  select name, dead::int, rows::int, unswept >= 1 or unknown as vacuum
  from due where unswept >= 1 or unknown or unmeasured >= 1 or guessed
  order by guessed desc, greatest(unswept, unmeasured) desc limit 1`;

interface Due {
  name: string;
  /** Rows deleted or replaced since the last vacuum. */
  dead: number;
  rows: number;
  /** True for a vacuum, false for statistics. */
  vacuum: boolean;
}

/**
 * A vacuum that cleans indexes reads them from end to end, some 3 ms for each thousand rows of the table. In a larger table only the rows
 * are swept, so nobody waits; the indexes follow at the next start, before anybody is served, or once a fifth of the rows is dead.
 */
const LARGE = 20_000;
const DEAD_SHARE = 0.2;

export interface Maintenance {
  /** Runs the most urgent statement; returns which. */
  step(): Promise<string | undefined>;
  /** Does everything that is due, indexes too; for a start, when nobody is served yet. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs the most urgent statement; returns which. `serving`: people wait for the database meanwhile. */
function createStep(pglite: PGlite, hasRoom: () => Promise<boolean>) {
  let checkpointAt = performance.now();
  /** The size of the log when nothing was due. Until something is written, nothing is. */
  let quietAt: number | undefined;
  /** Dead rows left in the indexes of large tables. */
  const left = new Map<string, number>();

  async function dueStatement(serving: boolean): Promise<string | undefined> {
    const [log] = (await pglite.query<{ bytes: number }>(LOG_SINCE)).rows;
    const bytes = log?.bytes ?? 0;
    const late = performance.now() - checkpointAt > CHECKPOINT_MS;
    if (bytes > LOG_BYTES || (late && bytes > LOG_BYTES_MIN)) return 'checkpoint';
    if (bytes === quietAt) return undefined;
    // Everything but a checkpoint writes log, and the database stops when the log can't grow.
    if (!(await hasRoom())) return undefined;
    const [due] = (await pglite.query<Due>(DUE)).rows;
    quietAt = due === undefined ? bytes : undefined;
    if (due === undefined) return undefined;
    const { name, dead, rows } = due;
    if (!due.vacuum) return `analyze ${name}`;
    const now = (left.get(name) ?? 0) + dead;
    const rowsAlone = serving && rows > LARGE && now < DEAD_SHARE * rows;
    left.set(name, rowsAlone ? now : 0);
    return `vacuum (index_cleanup ${rowsAlone ? 'off' : 'auto'}) ${name}`;
  }

  return async (serving: boolean): Promise<string | undefined> => {
    const statement = await dueStatement(serving);
    if (statement !== undefined) await pglite.exec(statement);
    if (statement === 'checkpoint') checkpointAt = performance.now();
    return statement;
  };
}

/** Maintains an embedded database while it is open: one table or one checkpoint at a time, when nobody waits. */
export function startMaintenance(
  pglite: PGlite,
  log: Log,
  hasRoom: () => Promise<boolean> = async () => true,
): Maintenance {
  const step = createStep(pglite, hasRoom);
  let turn = 0;
  let running: Promise<unknown> = Promise.resolve();

  async function isIdle(): Promise<boolean> {
    const start = performance.now();
    await pglite.query('select 1');
    return performance.now() - start < IDLE_MS;
  }

  async function takeTurn(): Promise<void> {
    turn += 1;
    if (turn < TURNS_MAX && !(await isIdle())) return;
    turn = 0;
    await step(true);
  }

  const timer = setInterval(() => {
    running = running.then(takeTurn).catch((error) => log.error('database.maintenance', error));
  }, EVERY_MS);
  timer.unref();

  return {
    step: () => step(true),
    catchUp: async () => {
      for (let i = 0; i < CATCH_UP_MAX && (await step(false)) !== undefined; i += 1);
    },
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
