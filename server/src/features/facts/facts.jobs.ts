import type { Deps } from '../../platform/deps.ts';
import { DISTIL_QUEUE } from '../memory/distil-jobs.service.ts';
import { distilExchange } from './distil.service.ts';
import { FACTS_PURGE_QUEUE, purgeFact } from './facts.service.ts';

/** Nobody waits for a fact: answers that were asked for at the same time go first. */
const PAUSE_MS = 250;

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerFactJobs(deps: Deps): void {
  const distil = (job: { userId: string; taskId: string }) => distilExchange(deps, job);
  const purge = (job: { userId: string; agentId: string; factId: string }) => purgeFact(deps, job);
  deps.jobs.handle(DISTIL_QUEUE, distil, { pauseMs: PAUSE_MS });
  deps.jobs.handle(FACTS_PURGE_QUEUE, purge, { retryLimit: 10 });
}
