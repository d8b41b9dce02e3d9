import type { Topic } from '@atelier/contract/live';
import { type ImportKind, importKind } from '@atelier/contract/transfer/imports';
import { and, eq } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { type ImportKey, isImport, notifyImport } from './imports.service.ts';
import { type AccountImportRow, accountImports } from './imports.table.ts';
import type { Outcome } from './rows/import-rows.queries.ts';

/** The import was stopped, or another job carries it on: this one ends without a word. */
export class Halted extends Error {}

/** What reached the account so far, stored step by step: an import that is interrupted knows where to go on. */
export interface Progress {
  readonly row: AccountImportRow;
  /** Does a step and stores in the same transaction that these rows are done. Throws `Halted` once the import may not go on. */
  step(kind: ImportKind, rows: number, work: (tx: Tx) => Promise<Outcome>, notes?: string[]): Promise<Outcome>;
  /** Ends a part, so that pages show what came. */
  endPart(kind: ImportKind): Promise<void>;
}

const TOPICS: Record<ImportKind, Topic> = {
  agents: 'agents',
  sessions: 'sessions',
  exchanges: 'tasks',
  summaries: 'sessions',
  memories: 'memories',
  facts: 'facts',
  files: 'files',
  prompts: 'prompts',
  attachments: 'tasks',
};
/** More would not be read. The latest stand first: what the plan leaves out comes after the agents. */
const NOTES_MAX = 100;

export function openProgress(ctx: Deps, key: ImportKey, found: AccountImportRow): Progress {
  let row = found;
  const write = async (tx: Tx, change: Partial<AccountImportRow>) => {
    const at = and(eq(accountImports.partsDone, row.partsDone), eq(accountImports.rowsDone, row.rowsDone));
    const [next] = await tx
      .update(accountImports)
      .set(change)
      .where(and(isImport(key), eq(accountImports.state, 'running'), at))
      .returning();
    if (next === undefined) throw new Halted();
    await notifyImport(ctx, tx, key.userId);
    return next;
  };
  return {
    get row() {
      return row;
    },
    async step(kind, rows, work, notes = []) {
      const done = await ctx.db.transaction(async (tx) => {
        const outcome = await work(tx);
        const counts = row.counts.map((one) => (one.kind === kind ? add(one, outcome) : one));
        const all = [...new Set([...notes, ...row.notes])].slice(0, NOTES_MAX);
        return { outcome, next: await write(tx, { counts, notes: all, rowsDone: row.rowsDone + rows }) };
      });
      row = done.next;
      return done.outcome;
    },
    async endPart(kind) {
      row = await ctx.db.transaction(async (tx) => {
        await ctx.live.notify(tx, key.userId, TOPICS[kind], '');
        return write(tx, { partsDone: importKind.options.indexOf(kind) + 1, rowsDone: 0 });
      });
    },
  };
}

const add = (count: AccountImportRow['counts'][number], outcome: Outcome) => ({
  ...count,
  imported: count.imported + outcome.imported,
  present: count.present + outcome.present,
  left: count.left + outcome.left,
});
