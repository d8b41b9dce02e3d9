import type { Deps } from '../../platform/deps.ts';
import { hasOpenPayments, makeRecentDue, reconcile } from './billing.reconcile.service.ts';

export const RECONCILE_QUEUE = 'billing.reconcile';
export const RECONCILE_AGAIN_QUEUE = 'billing.reconcile-again';
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
