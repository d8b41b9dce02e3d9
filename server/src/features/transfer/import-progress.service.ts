import { type ImportKind, importKind } from '@atelier/contract/transfer/imports';
import { and, eq } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { changeImport } from './imports.service.ts';
import { type AccountImportRow, accountImports, type ImportKey } from './imports.table.ts';
import { partOf } from './own-tables.table.ts';

/** The import was stopped, or another job carries it on: this one ends without a word. */
export class Halted extends Error {}

/** What became of some rows, and what the person should know. */
export interface Outcome {
  imported?: number;
  present?: number;
  left?: number;
  notes?: string[];
}

/** More would not be read. The latest stand first: what the plan leaves out comes after the agents. */
const NOTES_MAX = 100;

export type Progress = ReturnType<typeof openProgress>;

/** What reached the account so far, stored step by step: an import that is interrupted knows where to go on. */
export function openProgress(ctx: Deps, key: ImportKey, start: AccountImportRow) {
  let row = start;
  /** Throws `Halted` once the import may not go on. */
  const write = async (tx: Tx, change: Partial<AccountImportRow>) => {
    const at = and(eq(accountImports.partsDone, row.partsDone), eq(accountImports.rowsDone, row.rowsDone));
    const next = await changeImport(ctx, tx, key, { from: ['running'], at, ...change });
    if (next === undefined) throw new Halted();
    return next;
  };
  return {
    row: () => row,
    /** Does a step and stores in the same transaction that these rows are done. */
    async step(kind: ImportKind, rows: number, work: (tx: Tx) => Promise<Outcome>): Promise<void> {
      row = await ctx.db.transaction(async (tx) => {
        const { notes = [], imported = 0, present = 0, left = 0 } = await work(tx);
        const counts = row.counts.map((one) =>
          one.kind === kind
            ? { ...one, imported: one.imported + imported, present: one.present + present, left: one.left + left }
            : one,
        );
        const all = [...new Set([...notes, ...row.notes])].slice(0, NOTES_MAX);
        return write(tx, { counts, notes: all, rowsDone: row.rowsDone + rows });
      });
    },
    /** Ends a part, so that pages show what came. */
    async endPart(kind: ImportKind): Promise<void> {
      row = await ctx.db.transaction(async (tx) => {
        await ctx.live.notify(tx, key.userId, partOf(kind).part?.[1] ?? 'account', '');
        return write(tx, { partsDone: importKind.options.indexOf(kind) + 1, rowsDone: 0 });
      });
    },
  };
}
