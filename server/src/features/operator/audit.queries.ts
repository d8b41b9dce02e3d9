import type { ActivityEvent } from '@atelier/contract/accounts/activity';
import type { AuditAct, AuditEntry, AuditQuery } from '@atelier/contract/operator/audit';
import { and, desc, eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { behind } from '../../platform/database/keyset.ts';
import type { Position } from '../../platform/http/cursor.ts';
import { accountActivity } from '../accounts/activity/activity.table.ts';
import { auditLog } from './audit.table.ts';

export type WhichEntries = Pick<AuditQuery, 'kind' | 'account'>;

/** An act or a security event, as both are shown in one list. */
export interface AuditRow {
  kind: 'act' | 'security';
  id: string;
  at: Date;
  what: AuditAct | ActivityEvent;
  actorId: string | null;
  subjectId: string | null;
  about: string | null;
  reason: string;
  change: AuditEntry['change'];
  count: number;
  network: string | null;
  device: string | null;
}

async function acts(db: Db, account: string | undefined, before: Position | undefined, limit: number) {
  const rows = await db
    .select()
    .from(auditLog)
    .where(
      and(
        account === undefined ? undefined : eq(auditLog.subjectId, account),
        behind(auditLog.at, auditLog.id, before),
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(limit);
  return rows.map(
    ({ act, ...row }): AuditRow => ({ ...row, kind: 'act', what: act, count: 1, network: null, device: null }),
  );
}

async function events(db: Db, account: string | undefined, before: Position | undefined, limit: number) {
  const { id, at, event, userId, about, count, network, device } = accountActivity;
  const rows = await db
    .select({ id, at, what: event, subjectId: userId, about, count, network, device })
    .from(accountActivity)
    .where(
      and(
        account === undefined ? undefined : eq(accountActivity.userId, account),
        behind(accountActivity.at, accountActivity.id, before),
      ),
    )
    .orderBy(desc(accountActivity.at), desc(accountActivity.id))
    .limit(limit);
  return rows.map((row): AuditRow => ({ ...row, kind: 'security', actorId: null, reason: '', change: null }));
}

/** Acts of operators and security events, the latest first. */
export async function auditRows(
  db: Db,
  { kind, account }: WhichEntries,
  before: Position | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const rows = [
    ...(kind === 'security' ? [] : await acts(db, account, before, limit)),
    ...(kind === 'act' ? [] : await events(db, account, before, limit)),
  ];
  const later = (a: AuditRow, b: AuditRow) => b.at.getTime() - a.at.getTime() || (b.id < a.id ? -1 : 1);
  return rows.toSorted(later).slice(0, limit);
}
