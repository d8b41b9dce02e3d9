import { performance } from 'node:perf_hooks';
import type { Log } from '../log.ts';
import type { DurablePglite } from './durable-node-fs.ts';

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

/** The size of the log since the last checkpoint, and how many statements there were. Counts are up to a second late unless requested. */
const LOG_SINCE = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::float8 as bytes, pg_stat_force_next_flush(),
  (select xact_commit + xact_rollback from pg_stat_database where datname = current_database())::float8 as statements
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
  select name, rows::int, unswept >= 1 or unknown as vacuum
  from due where unswept >= 1 or unknown or unmeasured >= 1 or guessed
  order by guessed desc, greatest(unswept, unmeasured) desc limit 1`;

interface Due {
  name: string;
  rows: number;
  /** True for a vacuum, false for statistics. */
  vacuum: boolean;
}

/**
 * A vacuum that cleans indexes reads them from end to end, some 3 ms for each thousand rows of the table. In a larger table only the rows
 * are swept, so nobody waits; the indexes follow once hardly anybody has asked for a minute, or after a day.
 */
const LARGE = 20_000;
const QUIET_TURNS = 12;
/** An idle server asks for less in a turn, and one click for more. */
const QUIET_STATEMENTS = 20;
const LONGEST_MS = 24 * 60 * 60_000;

export type Maintenance = ReturnType<typeof startMaintenance>;

/** Runs the most urgent statement; returns which. `serving`: people wait for the database meanwhile. */
function createStep(pglite: DurablePglite, hasRoom: () => Promise<boolean>) {
  let checkpointAt = performance.now();
  /** The size of the log when nothing was due. Until something is written, nothing is. */
  let quietAt: number | undefined;
  /** Large tables whose indexes still have dead rows, and since when. */
  const remaining = new Map<string, number>();
  let statements = 0;
  let quietTurns = 0;

  async function dueStatement(serving: boolean): Promise<string | undefined> {
    const [log] = (await pglite.query<{ bytes: number; statements: number }>(LOG_SINCE)).rows;
    const bytes = log?.bytes ?? 0;
    quietTurns = (log?.statements ?? 0) - statements < QUIET_STATEMENTS ? quietTurns + 1 : 0;
    statements = log?.statements ?? 0;
    const isQuiet = !serving || quietTurns >= QUIET_TURNS;
    const late = performance.now() - checkpointAt > CHECKPOINT_MS;
    if (bytes > LOG_BYTES || (late && bytes > LOG_BYTES_MIN)) return 'checkpoint';
    const [waiting] = remaining.keys();
    if (bytes === quietAt && !(isQuiet && waiting !== undefined)) return undefined;
    // Everything but a checkpoint writes log, and the database stops when the log can't grow.
    if (!(await hasRoom())) return undefined;
    const [due] = (await pglite.query<Due>(DUE)).rows;
    quietAt = due === undefined ? bytes : undefined;
    const name = due?.name ?? (isQuiet ? waiting : undefined);
    if (name === undefined) return undefined;
    if (due?.vacuum === false) return `analyze ${name}`;
    // Few rows may be left of a table whose indexes are still large.
    const since = remaining.get(name) ?? ((due?.rows ?? 0) > LARGE ? performance.now() : Number.NEGATIVE_INFINITY);
    const rowsAlone = !isQuiet && performance.now() - since < LONGEST_MS;
    if (rowsAlone) remaining.set(name, since);
    else remaining.delete(name);
    return `vacuum (index_cleanup ${rowsAlone ? 'off' : 'auto'}) ${name}`;
  }

  return async (serving: boolean): Promise<string | undefined> => {
    const statement = await dueStatement(serving);
    if (statement === 'checkpoint') {
      await pglite.checkpoint();
      checkpointAt = performance.now();
    } else if (statement !== undefined) await pglite.exec(statement);
    return statement;
  };
}

/** Maintains an embedded database while it is open: one table or one checkpoint at a time, when nobody waits. */
export function startMaintenance(pglite: DurablePglite, log: Log, hasRoom: () => Promise<boolean> = async () => true) {
  const step = createStep(pglite, hasRoom);
  let turn = 0;
  let isPaused = false;
  let running: Promise<unknown> = Promise.resolve();

  async function isIdle(): Promise<boolean> {
    const start = performance.now();
    await pglite.query('select 1');
    return performance.now() - start < IDLE_MS;
  }

  async function takeTurn(): Promise<void> {
    if (isPaused) return;
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
    /** Runs the most urgent statement; returns which. */
    step: () => step(true),
    /** Does everything that is due, indexes too; for a start, when nobody is served yet. */
    catchUp: async (): Promise<void> => {
      for (let i = 0; i < CATCH_UP_MAX && (await step(false)) !== undefined; i += 1);
    },
    /** Does nothing until `resume`: a checkpoint would free log that a backup still needs. */
    pause: async (): Promise<void> => {
      isPaused = true;
      await running;
    },
    resume: () => void (isPaused = false),
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await running;
    },
  };
}
