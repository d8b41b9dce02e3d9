import { PURGE_FILE_QUEUE, READ_QUEUE } from '../features/files/files.service.ts';
import { TITLE_QUEUE } from '../features/runs/runs.finish.service.ts';
import { PURGE_QUEUE } from '../features/sessions/sessions.service.ts';
import type { Jobs } from '../platform/jobs.ts';

/** Declares the product's queues without their work, so that the prepared database has them. */
export function declareJobs(jobs: Jobs): void {
  const nothing = async () => {};
  for (const queue of [TITLE_QUEUE, PURGE_QUEUE, READ_QUEUE, PURGE_FILE_QUEUE]) jobs.handle(queue, nothing);
  jobs.handle('files.sweep', nothing, { cron: '*/10 * * * *' });
  jobs.handle('runs.prune', nothing, { cron: '*/5 * * * *' });
}
