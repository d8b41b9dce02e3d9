import { expect } from 'vitest';
import { DUE_LATER, JOB_CHANNEL } from '../platform/jobs/job-statements.ts';
import { eventually } from './eventually.ts';
import type { TestApp } from './harness.ts';

/** Waits until no job is due or at work, so that nothing changes by itself any more. */
export const jobsEnd = ({ deps }: TestApp) =>
  eventually(async () => {
    const due = `state = 'active' or state in ('created', 'retry') and start_after <= now()`;
    const { rows } = await deps.database.executeSql(`select name, state from pgboss.job where ${due}`, []);
    expect(rows).toEqual([]);
  });

/**
 * Lets the time pass that deleted files can be brought back in: their jobs begin now. What is due ends first: a job that hides files between
 * the statements would have them removed too early, which does nothing.
 */
export async function passUndo(app: TestApp): Promise<void> {
  await jobsEnd(app);
  const { database } = app.deps;
  for (const table of ['agents', 'agent_files', 'chat_sessions', 'task_places'])
    await database.executeSql(`update ${table} set deleted_at = deleted_at - interval '1 minute'`, []);
  await database.executeSql(`update pgboss.job set start_after = now() where state = 'created'`, []);
  await database.executeSql('select pg_notify($1, $2)', [JOB_CHANNEL, DUE_LATER]);
}
