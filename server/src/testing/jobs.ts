import { ACCOUNT_MAIL_QUEUE } from '../features/accounts/accounts.mail.service.ts';
import { RECONCILE_AGAIN_QUEUE, RECONCILE_QUEUE } from '../features/billing/billing.jobs.ts';
import { DELIVER_QUEUE, DELIVER_SWEEP_QUEUE } from '../features/contact/contact.jobs.ts';
import { FACTS_PURGE_QUEUE } from '../features/facts/facts.service.ts';
import { PURGE_FILE_QUEUE } from '../features/files/files.service.ts';
import { QUEUES } from '../features/files/reading.service.ts';
import { DISTIL_QUEUE } from '../features/memory/distil-jobs.service.ts';
import { EMBED_QUEUE, EMBED_REST_QUEUE } from '../features/memory/embed.service.ts';
import { ERASE_QUEUE } from '../features/removal/delete-account.service.ts';
import { ERASE_AGENT_QUEUE } from '../features/removal/delete-agent.service.ts';
import { EXCHANGE_PURGE_QUEUE } from '../features/removal/delete-session.service.ts';
import { TITLE_QUEUE } from '../features/runs/engine/finish.service.ts';
import { SUMMARY_QUEUE } from '../features/runs/engine/summary.service.ts';
import { PURGE_QUEUE } from '../features/sessions/sessions.service.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';

/** Declares the product's queues without their work, so that the prepared database has them. */
export function declareJobs(jobs: Jobs): void {
  const nothing = async () => {};
  jobs.handle('files.sweep', nothing, { cron: '* * * * *' });
  for (const queue of [
    ACCOUNT_MAIL_QUEUE,
    TITLE_QUEUE,
    PURGE_QUEUE,
    EXCHANGE_PURGE_QUEUE,
    ERASE_AGENT_QUEUE,
    SUMMARY_QUEUE,
    EMBED_QUEUE,
    ...Object.values(QUEUES),
    PURGE_FILE_QUEUE,
    DISTIL_QUEUE,
    FACTS_PURGE_QUEUE,
  ]) {
    jobs.handle(queue, nothing);
  }
  jobs.handle(RECONCILE_QUEUE, nothing, { cron: '* * * * *' });
  jobs.handle(RECONCILE_AGAIN_QUEUE, nothing);
  jobs.handle(ERASE_QUEUE, nothing);
  jobs.handle(DELIVER_QUEUE, nothing);
  jobs.handle(DELIVER_SWEEP_QUEUE, nothing, { cron: '* * * * *' });
  jobs.handle(EMBED_REST_QUEUE, nothing, { cron: '*/5 * * * *' });
  jobs.handle('runs.prune', nothing, { cron: '*/5 * * * *' });
}
