import type { Deps } from '../../platform/deps.ts';
import { EMBED_QUEUE, EMBED_REST_QUEUE, embedAgent, embedRest } from './embed.service.ts';

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerMemoryJobs(deps: Deps): void {
  deps.jobs.handle<{ userId: string; agentId: string; space?: string }>(EMBED_QUEUE, (job) => embedAgent(deps, job), {
    retryLimit: 8,
  });
  deps.jobs.handle(EMBED_REST_QUEUE, () => embedRest(deps), { cron: '*/5 * * * *' });
}
