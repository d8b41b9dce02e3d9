import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../platform/database/database.ts';
import { JOBS } from '../../platform/jobs/job-statements.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { queuedMessages } from '../queue/queue.table.ts';
import { inFlight, tasks } from '../runs/runs.table.ts';

const count = z.coerce.number();
const runsShape = z.object({ rows: z.array(z.object({ state: z.string(), model: z.string(), count })) });
const jobsShape = z.object({ rows: z.array(z.object({ queue: z.string(), state: z.string(), count })) });
const sizesShape = z.object({ rows: z.tuple([z.object({ database: count, files: count, attachments: count })]) });

/** How many runs are in flight, by state and the model that was chosen. */
export async function countRunning(db: Db) {
  const counted = await db.execute(sql`
    select ${tasks.status} as state, ${tasks.model} as model, count(*) from ${tasks}
    where ${inFlight(tasks.status)} group by 1, 2`);
  return runsShape.parse(counted).rows;
}

/** How many jobs wait, run or have failed, by queue. Those that failed for good stay for a day. */
export async function countJobs(db: Db) {
  const counted = await db.execute(sql`
    select name as queue, case when state < 'active' then 'waiting' else state::text end as state, count(*) from ${JOBS}
    where state in ('created', 'retry', 'active', 'failed') group by 1, 2`);
  return jobsShape.parse(counted).rows;
}

/** How many messages wait for an answer to end. */
export const countQueued = (db: Db): Promise<number> =>
  db.$count(queuedMessages, sql`${queuedMessages.removedAt} is null`);

/** How many bytes the database takes, and the files and attachments that people have uploaded. */
export async function measureSizes(db: Db) {
  const measured = await db.execute(sql`
    select pg_database_size(current_database()) as database,
      (select coalesce(sum(${agentFiles.size}), 0) from ${agentFiles}) as files,
      (select coalesce(sum(${attachments.size}), 0) from ${attachments}) as attachments`);
  return sizesShape.parse(measured).rows[0];
}
