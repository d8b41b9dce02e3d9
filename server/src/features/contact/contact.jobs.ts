import type { Deps } from '../../platform/deps.ts';
import { deliverDue, makeUnsentDue } from './contact.delivery.service.ts';

export const DELIVER_QUEUE = 'contact.deliver';
export const DELIVER_SWEEP_QUEUE = 'contact.sweep';

/** Declares the durable delivery of messages: at once, and each minute whatever has come due; call once, before the jobs start. */
export function registerContactJobs(deps: Deps): void {
  deps.jobs.handle(DELIVER_QUEUE, () => deliverDue(deps));
  deps.jobs.handle(DELIVER_SWEEP_QUEUE, () => deliverDue(deps), { cron: '* * * * *' });
}

/** Tries everything unsent again, as after a start. */
export async function deliverSoon(deps: Deps): Promise<void> {
  await makeUnsentDue(deps);
  await deps.db.transaction((tx) => deps.jobs.send(tx, DELIVER_QUEUE, {}));
}
