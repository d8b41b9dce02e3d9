import type { Deps } from '../../platform/deps.ts';
import { EMBED_QUEUE, EMBED_REST_QUEUE, embedAgent, embedRest } from './embed.service.ts';

/** What was just said is found by meaning before it has a vector, so the job can wait for answers that are asked for meanwhile. */
const PAUSE_MS = 250;

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerMemoryJobs(deps: Deps): void {
  deps.jobs.handle<{ userId: string; agentId: string; space?: string }>(EMBED_QUEUE, (job) => embedAgent(deps, job), {
    retryLimit: 8,
    pauseMs: PAUSE_MS,
  });
  deps.jobs.handle(EMBED_REST_QUEUE, () => embedRest(deps), { cron: '*/5 * * * *' });
}
