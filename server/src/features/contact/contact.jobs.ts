import type { Deps } from '../../platform/deps.ts';
import { deliverDue, makeUnsentDue } from './contact.delivery.service.ts';

export const DELIVER_QUEUE = 'contact.deliver';
export const DELIVER_SWEEP_QUEUE = 'contact.sweep';

/** Registers the delivery jobs: one at once, and where there is mail, one each minute for everything due; call once, before the jobs start. */
export function registerContactJobs(deps: Deps): void {
  deps.jobs.handle(DELIVER_QUEUE, () => deliverDue(deps));
  deps.jobs.handle(DELIVER_SWEEP_QUEUE, () => deliverDue(deps), deps.mail.kind === 'off' ? {} : { cron: '* * * * *' });
}

/** Tries all unsent messages again, as after a start. */
export async function deliverSoon(deps: Deps): Promise<void> {
  await makeUnsentDue(deps);
  await deps.db.transaction((tx) => deps.jobs.send(tx, DELIVER_QUEUE, {}));
}
