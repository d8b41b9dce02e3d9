import type { BackgroundJob, JobsQuery } from '@atelier/contract/operator/jobs';
import { COUNT_MAX } from '@atelier/contract/operator/overview';
import { validate as isUuid } from 'uuid';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { decodeCursor, page } from '../../platform/http/cursor.ts';
import { countJobKinds, deleteJob, listJobs, retryJob } from '../../platform/jobs/job-list.ts';
import { type AuditDeps, audit } from './audit.service.ts';

/** A page of the jobs that failed or wait, and how many there are of each kind. */
export async function listBackgroundJobs({ db }: Pick<Deps, 'db'>, { cursor, limit, ...which }: JobsQuery) {
  const matches = await listJobs(db, which, decodeCursor(cursor), { limit: limit + 1, bound: COUNT_MAX });
  const { rows, nextCursor } = page(matches, limit, ({ at, id }) => ({ at, id }));
  const jobs = rows.map(
    ({ at, dueAt, ...job }): BackgroundJob => ({
      ...job,
      at: at.toISOString(),
      dueAt: dueAt?.toISOString() ?? null,
    }),
  );
  return { jobs, nextCursor, kinds: await countJobKinds(db, COUNT_MAX + 1) };
}

interface JobAct {
  actorId: string;
  kind: string;
  jobId: string;
  reason: string;
}

type Ctx = Pick<Deps, 'db'> & AuditDeps;

const acts =
  (act: 'job_retried' | 'job_deleted', does: typeof retryJob) =>
  async (ctx: Ctx, { actorId, kind, jobId: id, reason }: JobAct): Promise<void> => {
    await ctx.db.transaction(async (tx) => {
      if (!isUuid(id) || !(await does(tx, { kind, id }))) throw notFound('This job');
      await audit(ctx, tx, { actorId, act, about: `${kind} ${id}`, reason });
    });
  };

/** Has a failed job tried again, or one that waits at once. Throws 404. */
export const tryJobAgain = acts('job_retried', retryJob);

/** Deletes a job that failed or waits. Throws 404. */
export const removeJob = acts('job_deleted', deleteJob);
