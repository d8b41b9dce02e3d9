import type { TaskCreate } from '@atelier/contract/runs';
import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import type { SessionWithAgent } from '../sessions/sessions.service.ts';
import { leaseEnd } from './engine/lease.service.ts';
import { inFlightOf } from './runs.queries.ts';
import { type TaskRow, tasks } from './runs.table.ts';

export const STILL_RUNNING = 'This session is still answering. Wait for the answer or stop it first.';

/** A message to send. */
export interface Start extends TaskCreate {
  sessionId: string;
  idempotencyKey?: string | undefined;
  retryOf?: string;
  /** Memories to leave out. */
  without?: string[];
}

/** Now, but always after the session's last message, even if the clock was set back. */
const afterLast = ({ userId, id }: SessionWithAgent) => sql`greatest(now(), (
  select max(t.created_at) + interval '1 millisecond' from tasks t where t.user_id = ${userId} and t.session_id = ${id}))`;

/** Inserts a task that this process runs, with a lease; 409 while the session answers another. */
export async function insertTask(
  ctx: Deps,
  tx: Tx,
  session: SessionWithAgent,
  agent: AgentRow,
  input: Start & { bodyHash: string },
): Promise<TaskRow> {
  const running = await tx
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(inFlightOf(session.userId), eq(tasks.sessionId, session.id)));
  if (running.length > 0) throw new AppError('conflict', STILL_RUNNING);
  const [row] = await tx
    .insert(tasks)
    .values({
      userId: session.userId,
      id: uuidv7(),
      sessionId: session.id,
      agentId: agent.id,
      agentName: agent.name,
      inputText: input.inputText,
      status: 'running',
      model: ctx.models.kind === 'offline' ? 'offline' : agent.model,
      retryOf: input.retryOf ?? null,
      without: input.without ?? [],
      idempotencyKey: input.idempotencyKey ?? null,
      bodyHash: input.bodyHash,
      leaseOwner: ctx.processId,
      leaseUntil: leaseEnd(ctx),
      createdAt: afterLast(session),
    })
    .returning();
  if (row === undefined) throw new Error('the task was not inserted');
  return row;
}
