import { COUNT_MAX } from '@atelier/contract/operator/overview';
import { and, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../platform/database/database.ts';
import { countFailed } from '../../platform/jobs/job-list.ts';
import { JOBS } from '../../platform/jobs/job-statements.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents, isVisible } from '../agents/agents.table.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { paymentEvents, payments } from '../billing/billing.table.ts';
import { contactMessages, inboxBox } from '../contact/contact.table.ts';
import { agentReports } from '../explore/explore.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { tokenLedger } from '../ledger/ledger.table.ts';
import { operatorToolPins } from '../mcp/mcp.table.ts';
import { queuedMessages } from '../queue/queue.table.ts';
import { inFlight, tasks } from '../runs/runs.table.ts';

const count = z.coerce.number();

/** How many rows a select has, as far as an operator's counts go. */
const countUpTo = (rows: SQL): SQL => sql`(select count(*) from (${rows} limit ${COUNT_MAX + 1}) as counted)`;

const active = (days: number): SQL =>
  countUpTo(sql`select from ${user} where exists (
    select from ${tokenLedger} where ${tokenLedger.userId} = ${user.id} and ${tokenLedger.purpose} = 'answer'
      and ${tokenLedger.at} > now() - make_interval(days => ${days}))`);

const activeShape = z.object({ rows: z.tuple([z.object({ lastDay: count, lastMonth: count })]) });

/** For how many accounts a model answered of late. Looks at each account, so it isn't for every load of a page. */
export async function countActive(db: Db) {
  const counted = await db.execute(sql`select ${active(1)} as "lastDay", ${active(30)} as "lastMonth"`);
  return activeShape.parse(counted).rows[0];
}

const TODAY = sql`(now() at time zone 'UTC')::date`;

const usedShape = z.object({
  rows: z.array(z.object({ currency: z.string(), exchanges: count, input: count, output: count, cost: count })),
});

/** What models took since 00:00 UTC, by currency; '' where no price was known. */
export async function sumToday(db: Db) {
  const summed = await db.execute(sql`
    select ${tokenLedger.currency} as currency, coalesce(sum(${tokenLedger.calls}) filter (where ${tokenLedger.purpose} = 'answer'), 0) as exchanges,
      sum(${tokenLedger.inputTokens}) as input, sum(${tokenLedger.outputTokens}) as output, sum(${tokenLedger.cost}) as cost
    from ${tokenLedger} where ${tokenLedger.at} >= ${TODAY}::timestamp at time zone 'UTC' group by 1 order by 1`);
  return usedShape.parse(summed).rows;
}

const dueShape = z.object({
  rows: z.tuple([
    z.object({
      errors: count,
      payments: count,
      messages: count,
      failedJobs: count,
      waiting: count,
      reportedAgents: count,
    }),
  ]),
});

const hasEvent = (entry: string): SQL => sql`exists (
  select from ${paymentEvents} where ${paymentEvents.userId} = ${payments.userId}
    and ${paymentEvents.reference} = ${payments.reference} and ${paymentEvents.entry} = ${entry})`;

/** How many exchanges failed since 00:00 UTC, and how much needs a person. */
export async function countDue(db: Db) {
  const errors = sql`select from ${tasks} where ${tasks.status} in ('failed', 'interrupted')
    and ${tasks.finishedAt} >= ${TODAY}::timestamp at time zone 'UTC'`;
  const toDecide = sql`select from ${payments} where ${payments.attention} and (${payments.state} in ('refund_due', 'refused')
    or (${hasEvent('charge.dispute.create')} and not ${hasEvent('charge.dispute.resolve')}))`;
  const messages = sql`select from ${contactMessages} where ${inboxBox} = 'open'`;
  const reported = sql`select from ${agents} inner join ${user} on ${user.id} = ${agents.userId} where ${isVisible} and exists (
    select from ${agentReports} where ${agentReports.creatorId} = ${agents.userId} and ${agentReports.agentId} = ${agents.id}
      and ${agentReports.closedAt} is null)`;
  const counted = await db.execute(sql`
    select ${countUpTo(errors)} as errors, ${countUpTo(toDecide)} as payments, ${countUpTo(messages)} as messages,
      ${countFailed(COUNT_MAX + 1)} as "failedJobs",
      ${countUpTo(sql`select from ${user} where ${user.waitingFor} is not null`)} as waiting, ${countUpTo(reported)} as "reportedAgents"`);
  return dueShape.parse(counted).rows[0];
}

/** Which of these servers have tools that changed since they were approved, and about which nobody has decided. */
export const changedTools = (db: Db, servers: string[]) =>
  db
    .select({ server: operatorToolPins.server, tools: sql`count(*)`.mapWith(Number) })
    .from(operatorToolPins)
    .where(
      and(
        inArray(operatorToolPins.server, servers),
        sql`${operatorToolPins.changedAt} > coalesce(${operatorToolPins.leftOffAt}, '-infinity')`,
      ),
    )
    .groupBy(operatorToolPins.server)
    .orderBy(operatorToolPins.server);

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
