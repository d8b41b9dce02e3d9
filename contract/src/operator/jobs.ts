import { z } from 'zod';
import { calls, get, post, remove, under } from '../calls.ts';
import { instant, pageQuery } from '../ids.ts';
import { optionalActBody } from './audit.ts';

/** Work in the background that has not been done. */
export const backgroundJob = z.object({
  id: z.string(),
  kind: z.string(),
  /** When it failed for good; for one that waits, when it was sent. */
  at: instant,
  /** When it may begin, of one that waits. */
  dueAt: instant.nullable(),
  /** How often it was tried again. */
  retries: z.number().int(),
  /** Kinds and codes of the last failure, without words of people. */
  error: z.string().nullable(),
});
export type BackgroundJob = z.infer<typeof backgroundJob>;

export const jobsState = z.enum(['failed', 'waiting']);
export const jobsQuery = pageQuery.extend({ state: jobsState.default('failed'), kind: z.string().max(100).optional() });
export type JobsQuery = z.infer<typeof jobsQuery>;
export const jobsAnswer = z.object({
  jobs: z.array(backgroundJob),
  nextCursor: z.string().nullable(),
  /** How many there are of each kind, up to the operator’s bound. */
  kinds: z.array(z.object({ kind: z.string(), failed: z.number().int(), waiting: z.number().int() })),
});

export const jobsCalls = calls(under('/api/admin/jobs', { who: 'operator' }), {
  list: get('', 'listJobs', 'Jobs that failed in the last day, or that wait: the latest first.', {
    query: jobsQuery,
    answer: jobsAnswer,
  }),
  retry: post('/:kind/:jobId/retry', 'retryJob', 'Tries a failed job again, or one that waits now.', {
    body: optionalActBody,
  }),
  delete: remove('/:kind/:jobId', 'deleteJob', 'Deletes a job that failed or waits.', { body: optionalActBody }),
});
