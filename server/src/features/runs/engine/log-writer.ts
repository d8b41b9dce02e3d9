import type { Database } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import { retryUntil } from '../../../platform/retry.ts';
import { logEvents } from '../run-statements.queries.ts';
import type { RunNotice } from './notices.service.ts';
import type { LoggedRow, Run } from './run.ts';

/** A pause between two statements, in which more arrives for the next one. */
const PAUSE_MS = 50;
// A notice can carry 8,000 bytes, and a task takes about 120 of them.
const TASKS_A_STATEMENT = 50;

export interface WriterOptions {
  database: Database;
  processId: string;
  log: Log;
  /** Aborted when the process ends; what can't be stored then is given up. */
  closing: AbortSignal;
  /** Called when this process may no longer write the run's task, or can't store its events. */
  onLost: (run: Run) => void;
}

/**
 * The only writer of this process's event log: one statement at a time for all runs, which inserts everything that arrived and sends one
 * notice. A row is stored only while this process holds the task's lease. While the database is away the statement is repeated, and nothing
 * is lost or stored twice.
 */
export function createLogWriter(options: WriterOptions) {
  let unstored: LoggedRow[] = [];
  let writing: { runs: Set<Run>; ended: Promise<void> } | undefined;

  function take(runs: Set<Run>): LoggedRow[] {
    const batch = unstored.filter(({ run }) => runs.has(run));
    unstored = unstored.filter(({ run }) => !runs.has(run));
    return batch;
  }

  /** Stores what was put, unless a statement is under way: then what is left follows it. */
  function write(): void {
    if (writing !== undefined || unstored.length === 0) return;
    const runs = new Set([...new Set(unstored.map(({ run }) => run))].slice(0, TASKS_A_STATEMENT));
    const ended = store(options, take(runs)).finally(() => {
      writing = undefined;
      if (unstored.length > 0) setTimeout(write, PAUSE_MS);
    });
    writing = { runs, ended };
  }

  return {
    put: (row: LoggedRow) => void unstored.push(row),
    write,
    /** The rows of a run that are not stored, which are the caller's from then on; resolves once no statement has others of it. */
    async takeBack(run: Run): Promise<LoggedRow[]> {
      while (writing?.runs.has(run)) await writing.ended;
      return take(new Set([run]));
    },
  };
}

async function store(options: WriterOptions, rows: LoggedRow[]): Promise<void> {
  const failed = (error: unknown, attempt: number) => options.log.error('runs.log_failed', error, { attempt });
  try {
    const stored = await retryUntil(options.closing, () => insertUnlessRefused(options, rows), failed);
    const runs = new Set(rows.map((row) => row.run));
    if (stored === 'refused' && runs.size > 1) {
      for (const own of Map.groupBy(rows, ({ run }) => run).values()) await store(options, own);
      return;
    }
    for (const row of rows) if (stored === 'refused' || !stored.has(rowKey(row))) options.onLost(row.run);
  } catch (error) {
    options.log.error('runs.log_given_up', error, { events: rows.length });
  }
}

const rowKey = ({ run, seq }: LoggedRow) => `${run.taskId} ${seq}`;

/** Returns `refused` when the values are at fault (SQLSTATE 22…) and retrying would not help. */
async function insertUnlessRefused(options: WriterOptions, rows: LoggedRow[]): Promise<Set<string> | 'refused'> {
  try {
    return await insert(options, rows);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('22'))) throw error;
    options.log.error('runs.log_refused', error, { tasks: rows.map((row) => row.run.taskId).join(' ') });
    return 'refused';
  }
}

/** Has the database plan the statement, or the first words of this process would be shown long before they are stored. */
export const warmUpLog = async (options: Pick<WriterOptions, 'database' | 'processId'>): Promise<void> =>
  void (await insert(options, []));

async function insert(
  { database, processId }: Pick<WriterOptions, 'database' | 'processId'>,
  rows: LoggedRow[],
): Promise<Set<string>> {
  const values = rows.map(({ run, seq, event }) => {
    const { type, ...data } = event;
    return { user_id: run.uid, task_id: run.taskId, attempt: run.attempt, seq, type, data };
  });
  const runs = [...new Set(rows.map((row) => row.run))];
  const notice: RunNotice = { p: processId, e: runs.map((run) => [run.uid, run.taskId]) };
  const stored = await logEvents(database, { rows: values, processId, notice: JSON.stringify(notice) });
  return new Set(stored.map((row) => `${row.task_id} ${row.seq}`));
}
