import type { Past } from '@atelier/contract/transfer/past';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { ALL_TABLES } from '../features/transfer/own-tables.table.ts';
import { sendFile } from './files.ts';
import type { TestApp, TestUser } from './harness.ts';
import { jobsEnd, passUndo } from './jobs-end.ts';
import { moving } from './moving.ts';

/** What tests do with exports of other programs; they are `ada`'s unless they say otherwise. */
export function importingPast(app: () => TestApp, ada: () => TestUser) {
  const { call, ended } = moving(app);

  const upload = (data: Uint8Array | string, as = ada()) => sendFile(app(), as, '/api/imports', ['export.zip', data]);

  /** Uploads an export and reads what it holds. */
  async function preview(data: Uint8Array | string, as = ada()) {
    const { status, body } = await upload(data, as);
    expect([status, body.error?.message]).toEqual([201, undefined]);
    const path = `/api/imports/${body.import.id}`;
    const { past }: { past: Past } = await call(as, 'GET', `${path}/past`);
    return { path, found: body.import, past };
  }

  async function run(path: string, as = ada()) {
    await call(as, 'POST', `${path}/start`);
    const report = await ended(as);
    expect([report.state, report.error]).toEqual(['done', undefined]);
    return report;
  }

  /** How many rows each table has of an account. */
  async function rowsOf({ uid }: TestUser) {
    const counts: Record<string, number> = {};
    for (const { file, table, owner } of ALL_TABLES)
      counts[`${file} ${owner.name}`] = await app().deps.db.$count(table, eq(owner, uid));
    return counts;
  }

  async function undo(path: string, as = ada()) {
    const { import: undone } = await call(as, 'POST', `${path}/undo`);
    expect(undone.state).toBe('undone');
    // The sessions first, then the agent that they name.
    for (let turn = 0; turn < 2; turn += 1) {
      await passUndo(app());
      await jobsEnd(app());
    }
  }

  return { call, ended, upload, preview, run, rowsOf, undo };
}
