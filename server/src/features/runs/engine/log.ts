import type { LoggedEvent } from '../runs.events.ts';
import { createLogWriter, type WriterOptions } from './log-writer.ts';
import type { LoggedRow, Run } from './run.ts';

/** Words within this time become one event, and what came within it is stored together. A run's first word goes out at once. */
const MERGE_MS = 50;
/** How soon a run's first events are stored where followers of other processes wait for them: after the provider's first word, if it is quick. */
const FIRST_MS = 10;

export interface EventLog {
  /** Opens the log of a run. */
  begin(run: Run): void;
  /** Adds an event. The run's followers get it at once, or with the words of 50 ms. */
  append(run: Run, event: LoggedEvent): void;
  /** The numbered events of a task, in order; undefined unless its log is held here. */
  eventsOf(taskId: string): readonly LoggedRow[] | undefined;
  /** Drops what is held of a task that has ended. */
  drop(taskId: string): void;
  /**
   * Ends a run's log: its followers get what is left. Resolves once no statement has events of it under way, however long the database is
   * away. `rows` are the last events, for the statement that ends the task to store.
   */
  end(run: Run): Promise<{ rows: LoggedRow[]; lastSeq: number }>;
}

interface Options extends WriterOptions {
  /** Called for each numbered event, in order, before it is stored. */
  onNumbered: (row: LoggedRow) => void;
}

/** One run's events: words that may still grow, and the numbered ones. */
interface Entry {
  run: Run;
  open: LoggedEvent[];
  rows: LoggedRow[];
}

/** Words that may still grow. */
type Words = Extract<LoggedEvent, { text: string }>;
const isWords = (event: LoggedEvent): event is Words => event.type === 'delta' || event.type === 'thought';

/** Of two receipts the later holds; one statement may store both. */
function replaceReceipt({ rows }: Entry, receipt: LoggedEvent): void {
  for (const row of rows) if (row.event.type === 'memory') row.event = receipt;
}

/** The events of this process's runs. Followers here get an event when it is numbered; it is stored a moment later, for all others. */
export function createEventLog(options: Options): EventLog {
  const entries = new Map<string, Entry>();
  const writer = createLogWriter(options);
  let timer: NodeJS.Timeout | undefined;
  let due = 0;
  // Followers of another process wait for the statement, so they get a run's first events after a shorter pause.
  const hasOthers = options.database.kind === 'postgres';

  function number({ run, open, rows }: Entry): void {
    for (const event of open.splice(0)) {
      const row = { run, seq: rows.length + 1, event };
      rows.push(row);
      writer.put(row);
      options.onNumbered(row);
    }
  }

  function wake(ms: number): void {
    const at = performance.now() + ms;
    if (timer !== undefined && due <= at) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(tick, ms);
  }

  function tick(): void {
    timer = undefined;
    for (const entry of entries.values()) number(entry);
    writer.write();
  }

  return {
    begin: (run) => void entries.set(run.taskId, { run, open: [], rows: [] }),
    append(run, event) {
      const entry = entries.get(run.taskId);
      if (entry === undefined) return;
      if (event.type === 'memory') replaceReceipt(entry, event);
      const last = entry.open.at(-1);
      if (isWords(event) && last?.type === event.type && isWords(last)) last.text += event.text;
      else entry.open.push({ ...event });
      const isFirst = !entry.rows.some((row) => row.event.type === event.type);
      if (isFirst || !isWords(event)) number(entry);
      wake(isFirst && hasOthers ? FIRST_MS : MERGE_MS);
    },
    eventsOf: (taskId) => entries.get(taskId)?.rows,
    drop: (taskId) => void entries.delete(taskId),
    async end(run) {
      const entry = entries.get(run.taskId);
      if (entry === undefined) return { rows: [], lastSeq: 0 };
      number(entry);
      return { rows: await writer.takeBack(run), lastSeq: entry.rows.length };
    },
  };
}
