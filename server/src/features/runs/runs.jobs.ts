import type { Deps } from '../../platform/deps.ts';
import type { SessionKey } from '../sessions/sessions.service.ts';
import { TITLE_QUEUE } from './engine/finish.service.ts';
import { SUMMARY_QUEUE, summariseSession } from './engine/summary.service.ts';
import { writeTitle } from './engine/title.ts';
import { pruneEvents } from './runs.queries.ts';

/** Nobody waits for a name or a summary: answers that were asked for at the same time go first. */
const PAUSE_MS = 250;

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerRunJobs(deps: Deps): void {
  deps.jobs.handle<SessionKey & { taskId: string }>(TITLE_QUEUE, (job) => writeTitle(deps, job), {
    pauseMs: PAUSE_MS,
  });
  deps.jobs.handle<SessionKey>(SUMMARY_QUEUE, (job) => summariseSession(deps, job), { pauseMs: PAUSE_MS });
  deps.jobs.handle('runs.prune', () => pruneEvents(deps.db), { cron: '*/5 * * * *' });
}
