import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { agents } from '../agents/agents.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { tasks } from './runs.table.ts';

/** What decides how much an answer in a session may take. */
export async function findAnswering(db: Db, uid: string, sessionId: string) {
  const [agent] = await db
    .select({ model: agents.model, prompt: agents.prompt, tools: agents.tools })
    .from(sessions)
    .innerJoin(agents, and(eq(agents.userId, sessions.userId), eq(agents.id, sessions.agentId)))
    .where(and(eq(sessions.userId, uid), eq(sessions.id, sessionId), isNull(sessions.deletedAt)));
  return agent;
}

/** Whether a message of the account was accepted with this key, or as the retry of this task, as `atelier_accept_run` looks for it. */
export async function wasSent(db: Db, uid: string, key: string | undefined, retryOf?: string): Promise<boolean> {
  const isRecent = gt(tasks.createdAt, sql`now() - interval '24 hours'`);
  const isSame =
    retryOf !== undefined
      ? eq(tasks.retryOf, retryOf)
      : key !== undefined && and(eq(tasks.idempotencyKey, key), isRecent);
  return isSame ? (await db.$count(tasks, and(eq(tasks.userId, uid), isSame))) > 0 : false;
}
