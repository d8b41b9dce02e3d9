import type { Deps } from '../../platform/deps.ts';
import type { NewJob } from '../../platform/jobs/jobs.ts';
import { mayStateFacts } from '../../platform/language/facts/find-facts.ts';

/** The queue that distils facts from what a person said in one exchange; the facts feature works on it. */
export const DISTIL_QUEUE = 'facts.distil';

/** The job that looks for facts in what a person said, for the transaction that stores it; none where there can't be any. */
export function distilJobs(
  { config, models }: Pick<Deps, 'config' | 'models'>,
  statement: { userId: string; taskId: string | null; text: string },
): NewJob[] {
  const { userId, taskId, text } = statement;
  if (config.FACTS === 'off' || taskId === null) return [];
  const byModel = config.FACTS === 'model' && models.kind !== 'offline';
  if (!mayStateFacts([text], byModel ? 'any' : 'lasting')) return [];
  return [{ queue: DISTIL_QUEUE, data: { userId, taskId }, singletonKey: taskId }];
}
