import { and, asc, gt, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { hasProvider, nextCheck } from './billing.ledger.service.ts';
import { checkPayment } from './billing.outcome.service.ts';
import { payments } from './billing.table.ts';

/** Asked about at once; a thousand open payments take some fifteen seconds. */
const BATCH = 20;

/**
 * Asks the providers about every open payment that is due, and records the outcomes. Several processes at once share the work. Ends
 * early where no provider can be reached: what is left stays due.
 */
export async function reconcile(ctx: Deps): Promise<void> {
  for (;;) {
    const due = await claim(ctx);
    const checks = await Promise.allSettled(due.map((payment) => checkPayment(ctx, payment, 'reconciliation')));
    const failures = checks.filter((check) => check.status === 'rejected').map(({ reason }) => reason as unknown);
    for (const failure of failures) {
      if (!(failure instanceof AppError)) ctx.log.error('billing.reconcile', failure);
    }
    if (due.length < BATCH || failures.length === due.length) return;
  }
}

/** Whether any payment still has to be asked about, now or later. */
export async function hasOpenPayments(ctx: Deps): Promise<boolean> {
  const open = await ctx.db
    .select({ reference: payments.reference })
    .from(payments)
    .where(and(isNotNull(payments.nextCheckAt), hasProvider(ctx)))
    .limit(1);
  return open.length > 0;
}

/** Takes a few that are due. Their next check is set before the provider is asked, so that no two processes ask about the same one. */
async function claim(ctx: Deps) {
  return ctx.db.transaction(async (tx) => {
    const due = await tx
      .select({ reference: payments.reference })
      .from(payments)
      .where(and(lte(payments.nextCheckAt, sql`now()`), hasProvider(ctx)))
      .orderBy(asc(payments.nextCheckAt))
      .limit(BATCH)
      .for('update', { skipLocked: true });
    const references = due.map(({ reference }) => reference);
    if (references.length === 0) return [];
    return tx
      .update(payments)
      .set({ nextCheckAt: nextCheck })
      .where(inArray(payments.reference, references))
      .returning();
  });
}

/** Makes every open payment due now that a browser got during the last day. */
export async function makeRecentDue(tx: Tx): Promise<void> {
  await tx
    .update(payments)
    .set({ nextCheckAt: sql`now()` })
    .where(and(isNotNull(payments.nextCheckAt), gt(payments.handedOutAt, sql`now() - interval '24 hours'`)));
}

export const RECONCILE_QUEUE = 'billing.reconcile';
const RECONCILE_AGAIN_QUEUE = 'billing.reconcile-again';
/** Schedules count in minutes; a second job half a minute later keeps checks less than 60 s apart. */
const AGAIN_SECONDS = 30;

/** Declares the durable re-check of open payments; call once, before the jobs start. */
export function registerBillingJobs(deps: Deps): void {
  deps.jobs.handle(
    RECONCILE_QUEUE,
    async () => {
      if (!(await hasOpenPayments(deps))) return;
      await deps.db.transaction((tx) =>
        deps.jobs.send(tx, RECONCILE_AGAIN_QUEUE, {}, { startAfterSeconds: AGAIN_SECONDS }),
      );
      await reconcile(deps);
    },
    { cron: '* * * * *' },
  );
  deps.jobs.handle(RECONCILE_AGAIN_QUEUE, () => reconcile(deps));
}

/** Re-checks all of the last day's open payments at once, as after a start: nobody knows what happened while no process ran. */
export async function reconcileSoon(deps: Deps): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await makeRecentDue(tx);
    await deps.jobs.send(tx, RECONCILE_AGAIN_QUEUE, {});
  });
}
