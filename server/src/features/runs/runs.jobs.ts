import type { Deps } from '../../platform/deps.ts';
import { EMBED_QUEUE, EMBED_REST_QUEUE, embedAgent, embedRest } from '../memory/embed.service.ts';
import { PURGE_QUEUE, purgeSession } from '../sessions/sessions.service.ts';
import { TITLE_QUEUE } from './engine/finish.service.ts';
import { SUMMARY_QUEUE, summariseSession } from './engine/summary.service.ts';
import { writeTitle } from './engine/title.ts';
import { pruneEvents } from './runs.queries.ts';

/** Declares what the durable jobs of this feature do; call once, before the jobs start. */
export function registerJobs(deps: Deps): void {
  deps.jobs.handle<{ userId: string; sessionId: string; taskId: string }>(TITLE_QUEUE, (job) => writeTitle(deps, job), {
    retryLimit: 3,
  });
  deps.jobs.handle<{ userId: string; sessionId: string }>(PURGE_QUEUE, (job) => purgeSession(deps, job), {
    retryLimit: 10,
  });
  deps.jobs.handle<{ userId: string; sessionId: string }>(SUMMARY_QUEUE, (job) => summariseSession(deps, job), {
    retryLimit: 3,
  });
  deps.jobs.handle<{ userId: string; agentId: string; space?: string }>(EMBED_QUEUE, (job) => embedAgent(deps, job), {
    retryLimit: 8,
  });
  deps.jobs.handle(EMBED_REST_QUEUE, () => embedRest(deps), { cron: '*/5 * * * *' });
  deps.jobs.handle('runs.prune', () => pruneEvents(deps.db), { cron: '*/5 * * * *' });
}
