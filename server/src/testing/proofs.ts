import { sql } from 'drizzle-orm';
import type { TestApp } from './harness.ts';

/** Lets five minutes pass for everybody who has proved to be an account's owner. */
export async function ageProofs(app: TestApp): Promise<void> {
  await app.deps.db.execute(
    sql`update account_tokens set expires_at = expires_at - interval '5 minutes' where purpose = 'owner'`,
  );
  await app.deps.db.execute(sql`update session set created_at = created_at - interval '11 minutes'`);
}
