import type { AuditEntry } from '@atelier/contract/operator/audit';
import type { TestApp, TestUser } from './harness.ts';

/** What the audit log has of acts, the latest first, as `pick` shows each. */
export async function actsOf<T>(app: TestApp, operator: TestUser, pick: (entry: AuditEntry) => T): Promise<T[]> {
  const { entries } = await app.call(operator, 'GET', '/api/admin/audit?kind=act');
  return entries.map(pick);
}
