import { z } from 'zod';
import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import { retryUntil } from '../../../platform/retry.ts';
import type { LoggedEvent } from '../runs.events.ts';
import type { Run } from './run.ts';

/** Deltas within this time become one row. A run's first delta is written at once, because somebody is waiting. */
const MERGE_MS = 50;
// A notice can carry 8,000 bytes, and a task takes about 120 of them.
const TASKS_A_STATEMENT = 50;

export const RUN_CHANNEL = 'atelier_run';

interface Row {
  run: Run;
  seq: number;
  event: LoggedEvent;
}

export interface EventLog {
  append(run: Run, event: LoggedEvent): void;
  /** The number of the run's last event, once all events are stored, however long the database is away, or given up. */
  drain(run: Run): Promise<number>;
}

interface Options {
  database: Database;
  processId: string;
  log: Log;
  /** Aborted when the process ends; what can't be stored then is given up. */
  closing: AbortSignal;
  /** Called for each stored event, in order. */
  onStored: (run: Run, seq: number, event: LoggedEvent) => void;
  /** Called when this process may no longer write the run's task, or can't store its events. */
  onLost: (run: Run) => void;
}

/**
 * The only writer of this process's event log: one statement every 50 ms for all runs, and one at once for a run's first word. It inserts
 * everything that arrived and sends one notice. A row is stored only while this process holds the task's lease. While the database is away
 * the statement is repeated and later events are merged behind it: nothing is lost or stored twice.
 */
export function createEventLog(options: Options): EventLog {
  const waiting = new Map<Run, LoggedEvent[]>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let lastWrite = 0;
  const spoken = new WeakSet<Run>();
  const lastSeq = new WeakMap<Run, number>();
  let urgent = false;

  function schedule() {
    if (writing !== undefined || waiting.size === 0 || (timer !== undefined && !urgent)) return;
    clearTimeout(timer);
    timer = setTimeout(write, urgent ? 0 : Math.max(0, lastWrite + MERGE_MS - performance.now()));
  }

  function write() {
    timer = undefined;
    urgent = false;
    lastWrite = performance.now();
    const rows = takeRows(waiting, lastSeq);
    writing = store(options, rows).finally(() => {
      writing = undefined;
      schedule();
    });
  }

  return {
    append(run, event) {
      const events = waiting.get(run) ?? [];
      waiting.set(run, events);
      const last = events.at(-1);
      if (event.type === 'delta' && last?.type === 'delta') last.text += event.text;
      else events.push({ ...event });
      if (event.type === 'delta' && !spoken.has(run)) {
        spoken.add(run);
        urgent = true;
      }
      schedule();
    },
    async drain(run) {
      while (waiting.has(run) || writing !== undefined) {
        if (writing === undefined) {
          clearTimeout(timer);
          write();
        }
        await writing;
      }
      return lastSeq.get(run) ?? 0;
    },
  };
}

function takeRows(waiting: Map<Run, LoggedEvent[]>, lastSeq: WeakMap<Run, number>): Row[] {
  const rows: Row[] = [];
  for (const [run, events] of [...waiting].slice(0, TASKS_A_STATEMENT)) {
    waiting.delete(run);
    let seq = lastSeq.get(run) ?? 0;
    for (const event of events) {
      seq += 1;
      rows.push({ run, seq, event });
    }
    lastSeq.set(run, seq);
  }
  return rows;
}

async function store(options: Options, rows: Row[]): Promise<void> {
  const failed = (error: unknown, attempt: number) => options.log.error('runs.log_failed', error, { attempt });
  try {
    const stored = await retryUntil(options.closing, () => insertUnlessRefused(options, rows), failed);
    const runs = new Set(rows.map((row) => row.run));
    if (stored === 'refused' && runs.size > 1) {
      for (const run of runs)
        await store(
          options,
          rows.filter((row) => row.run === run),
        );
      return;
    }
    for (const row of rows) {
      if (stored !== 'refused' && stored.has(keyOf(row))) options.onStored(row.run, row.seq, row.event);
      else options.onLost(row.run);
    }
  } catch (error) {
    options.log.error('runs.log_given_up', error, { events: rows.length });
  }
}

const keyOf = ({ run, seq }: Row) => `${run.taskId} ${seq}`;

/** Returns `refused` when the values are at fault (SQLSTATE 22…) and retrying would not help. */
async function insertUnlessRefused(options: Options, rows: Row[]): Promise<Set<string> | 'refused'> {
  try {
    return await insert(options, rows);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('22'))) throw error;
    options.log.error('runs.log_refused', error, { tasks: rows.map((row) => row.run.taskId).join(' ') });
    return 'refused';
  }
}

// `do update` makes a repeated statement return its rows again if its first reply was lost.
const INSERT = `
  with new_rows as (
    select * from jsonb_to_recordset($1::jsonb)
      as r(user_id text, task_id uuid, attempt int, seq int, type text, data jsonb)
  ), stored as (
    insert into task_events (user_id, task_id, seq, type, data)
    select r.user_id, r.task_id, r.seq, r.type, r.data
    from new_rows r join tasks t on t.user_id = r.user_id and t.id = r.task_id
    where t.lease_owner = $2::uuid and t.attempt = r.attempt and t.status in ('running', 'waiting')
    on conflict (user_id, task_id, seq) do update set type = excluded.type
    returning task_id, seq
  ), told as (select pg_notify($3, $4))
  select stored.task_id, stored.seq from stored, told order by stored.seq`;

async function insert({ database, processId }: Options, rows: Row[]): Promise<Set<string>> {
  const values = rows.map(({ run, seq, event }) => {
    const { type, ...data } = event;
    return { user_id: run.uid, task_id: run.taskId, attempt: run.attempt, seq, type, data };
  });
  const runs = [...new Set(rows.map((row) => row.run))];
  const notice: RunNotice = { p: processId, e: runs.map((run) => [run.uid, run.taskId]) };
  const result = await database.executeSql(INSERT, [
    JSON.stringify(values),
    processId,
    RUN_CHANNEL,
    JSON.stringify(notice),
  ]);
  return new Set(result.rows.map((row) => `${row.task_id} ${row.seq}`));
}

/** The run channel: events were appended (`e`), a task ended (`d`), somebody asks to stop one (`c`). */
export const runNotice = z.object({
  /** The sender; it has told its own followers already. */
  p: z.string(),
  e: z.array(z.tuple([z.string(), z.string()])).optional(),
  d: z.array(z.tuple([z.string(), z.string()])).optional(),
  c: z.array(z.string()).optional(),
});
export type RunNotice = z.infer<typeof runNotice>;
