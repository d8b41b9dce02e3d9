import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import type { TestApp } from './harness.ts';

/** Waits until no job is due or at work, so that nothing changes by itself any more. */
export const jobsEnd = ({ deps }: TestApp) =>
  eventually(async () => {
    const due = `state = 'active' or state in ('created', 'retry') and start_after <= now()`;
    const { rows } = await deps.database.executeSql(`select name, state from pgboss.job where ${due}`, []);
    expect(rows).toEqual([]);
  }, 30_000);
