import type { Deps } from '../../platform/deps.ts';
import { ACCOUNT_MAIL_QUEUE, deliverMail } from './accounts.mail.service.ts';

/** Registers the mails to people: tried for some hours, several at once, so that a slow one holds up nobody. Call once, before the jobs start. */
export function registerAccountJobs(deps: Deps): void {
  const deliver = ({ mailId }: { mailId: string }) => deliverMail(deps, mailId);
  deps.jobs.handle(ACCOUNT_MAIL_QUEUE, deliver, { retryLimit: 12, atOnce: 4 });
}
