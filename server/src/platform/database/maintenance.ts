import { performance } from 'node:perf_hooks';
import type { PGlite } from '@electric-sql/pglite';
import type { Log } from '../log.ts';

/** How often it is asked whether something is due. */
const EVERY_MS = 5_000;
/** A process that answers later than this is busy with others. */
const IDLE_MS = 10;
/** A server that is never idle has its turn of maintenance every minute all the same. */
const TURNS_MAX = 12;

/** So many statements at a start: each table twice, and then some. */
const CATCH_UP_MAX = 100;

/** A checkpoint after so much log. What is written then was changed since the last one, so this bounds its moment, too. */
const LOG_BYTES = 8 * 1024 * 1024;
/** A checkpoint after this time, where anything worth mentioning was written. */
const CHECKPOINT_MS = 5 * 60_000;
const LOG_BYTES_MIN = 256 * 1024;

/**
 * The log is written by every change and given back by checkpoints, which nobody but us asks for: PGlite has neither checkpointer
 * nor autovacuum. These settings say how much of it is kept for the next writes; without them it is a gigabyte. A sample for
 * statistics is a twentieth of the usual, for its time is.
 */
export const MAINTENANCE_SETTINGS = ['min_wal_size=32MB', 'max_wal_size=64MB', 'default_statistics_target=5'];

/** How much log there is since the last checkpoint. Counts of tables are up to a second late unless they are asked for. */
const LOG_SINCE = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes, pg_stat_force_next_flush()
  from pg_control_checkpoint()`;

/**
 * What is due of a table. A vacuum early and often, for one that finds little takes little: at most every thousand rows, however
 * large the table is. Statistics after a tenth has changed. Counts are lost when the process is killed, so a table that seems
 * never to have had its turn gets one.
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
  /** Rows that were deleted or replaced since the last vacuum. */
  dead: number;
  rows: number;
  /** Otherwise it is the statistics that are due. */
  vacuum: boolean;
}

/**
 * A vacuum that takes dead rows out of the indexes reads these from end to end, some 3 ms a thousand rows of the table. Of a larger
 * table than this the rows alone are swept, so that nobody waits; the indexes follow at the next start, before anybody is served,
 * or once a fifth of the rows has gone.
 */
const LARGE = 20_000;
const DEAD_SHARE = 0.2;

export interface Maintenance {
  /** Does what is due most, one statement; says which. */
  step(): Promise<string | undefined>;
  /** Does all that is due, indexes too; for a start, when nobody is served yet. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Does what is due most, one statement; says which. `serving`: people wait for the database meanwhile. */
function createStep(pglite: PGlite, hasRoom: () => Promise<boolean>) {
  let checkpointAt = performance.now();
  /** What was left in the indexes of large tables, in rows. */
  const left = new Map<string, number>();

  async function dueStatement(serving: boolean): Promise<string | undefined> {
    const [log] = (await pglite.query<{ bytes: number }>(LOG_SINCE)).rows;
    const bytes = log?.bytes ?? 0;
    const late = performance.now() - checkpointAt > CHECKPOINT_MS;
    if (bytes > LOG_BYTES || (late && bytes > LOG_BYTES_MIN)) return 'checkpoint';
    // Everything but a checkpoint writes log, and where that can't grow the database stops.
    if (!(await hasRoom())) return undefined;
    const [due] = (await pglite.query<Due>(DUE)).rows;
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

/** Looks after an embedded database while it is open: one table or one checkpoint at a time, when nobody waits. */
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
