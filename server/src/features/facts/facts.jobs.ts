import type { Deps } from '../../platform/deps.ts';
import { DISTIL_QUEUE } from '../memory/distil-jobs.service.ts';
import { distilExchange } from './distil.service.ts';
import { FACTS_PURGE_QUEUE, purgeFact } from './facts.service.ts';

/** Nobody waits for a fact: answers that were asked for at the same time go first. */
const PAUSE_MS = 250;

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerFactJobs(deps: Deps): void {
  deps.jobs.handle<{ userId: string; taskId: string }>(DISTIL_QUEUE, (job) => distilExchange(deps, job), {
    pauseMs: PAUSE_MS,
  });
  deps.jobs.handle<{ userId: string; agentId: string; factId: string }>(
    FACTS_PURGE_QUEUE,
    (job) => purgeFact(deps, job),
    {
      retryLimit: 10,
    },
  );
}
