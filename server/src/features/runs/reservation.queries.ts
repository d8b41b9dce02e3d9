import { and, eq, isNull } from 'drizzle-orm';
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

/** Whether a message of the account came with this key. */
export async function wasSent(db: Db, uid: string, key: string | undefined): Promise<boolean> {
  if (key === undefined) return false;
  return (await db.$count(tasks, and(eq(tasks.userId, uid), eq(tasks.idempotencyKey, key)))) > 0;
}
