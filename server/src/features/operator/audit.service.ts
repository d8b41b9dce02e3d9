import type { AuditAct, AuditEntry, AuditQuery } from '@atelier/contract/operator/audit';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { decodeCursor, type Position, page } from '../../platform/http/cursor.ts';
import type { Live } from '../../platform/live.ts';
import { listOperators } from '../accounts/accounts.operators.service.ts';
import { userNames } from '../accounts/accounts.service.ts';
import { type AuditRow, auditRows, type WhichEntries } from './audit.queries.ts';
import { auditLog } from './audit.table.ts';

/** What an act needs to be written down. */
export type AuditDeps = Pick<Deps, 'config'> & { live: Pick<Live, 'notify'> };

export interface Act {
  /** The operator; null for a command on the server's machine. */
  actorId: string | null;
  act: AuditAct;
  subjectId?: string;
  /** An id, a reference, a name of the configuration; never a word of a person. */
  about?: string;
  reason?: string;
  change?: { before: string; after: string };
}

/** Writes down what an operator does, in the transaction that does it, and has open pages of operators fetch again. */
export async function audit(ctx: AuditDeps, tx: Tx, act: Act): Promise<void> {
  // At this moment: the transaction may have begun before another act that it waited for.
  await tx.insert(auditLog).values({ id: uuidv7(), at: sql`clock_timestamp()`, ...act });
  for (const uid of await listOperators({ db: tx, config: ctx.config })) await ctx.live.notify(tx, uid, 'admin', '');
}

async function shown(ctx: Pick<Deps, 'db'>, rows: AuditRow[]): Promise<AuditEntry[]> {
  const ids = rows.flatMap(({ actorId, subjectId }) => [actorId, subjectId]).filter((id) => id !== null);
  const emails = await userNames(ctx, [...new Set(ids)]);
  const named = (id: string | null) => (id === null ? null : { id, email: emails.get(id) ?? null });
  return rows.map(({ actorId, subjectId, at, ...row }) => ({
    ...row,
    at: at.toISOString(),
    actor: named(actorId),
    subject: named(subjectId),
  }));
}

/** What operators have done, and what concerned the safety of accounts in the last 90 days: the latest first. */
export async function listAudit(
  ctx: Pick<Deps, 'db'>,
  { cursor, limit, ...which }: AuditQuery,
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const entries = await auditRows(ctx.db, which, decodeCursor(cursor), limit + 1);
  const { rows, nextCursor } = page(entries, limit, ({ at, id }) => ({ at, id }));
  return { entries: await shown(ctx, rows), nextCursor };
}

/** Rows of the export that are read at once. */
const PORTION = 1_000;

/** The whole of it, the latest first, as JSON with one entry a line. The export itself is an act. */
export async function* exportAudit(
  ctx: Pick<Deps, 'db'> & AuditDeps,
  actorId: string,
  which: WhichEntries,
): AsyncGenerator<Uint8Array> {
  await ctx.db.transaction((tx) => audit(ctx, tx, { actorId, act: 'audit_exported' }));
  const encoder = new TextEncoder();
  for (let before: Position | undefined; ; ) {
    const rows = await auditRows(ctx.db, which, before, PORTION);
    const lines = (await shown(ctx, rows)).map((entry) => `${JSON.stringify(entry)}\n`);
    yield encoder.encode(lines.join(''));
    before = rows.at(-1);
    if (rows.length < PORTION) return;
  }
}
