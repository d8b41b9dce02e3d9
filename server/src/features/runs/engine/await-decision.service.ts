import { setTimeout as pause } from 'node:timers/promises';
import { type Approval, approval } from '@atelier/contract/tools';
import { and, eq, sql } from 'drizzle-orm';
import type { Deps } from '../../../platform/deps.ts';
import { tasks, toolGrants } from '../runs.table.ts';
import { untilAnswered } from './lease.service.ts';
import type { Question } from './question.ts';
import type { Run } from './run.ts';

type Decision = Approval['decision'];

// Another process may receive the decision. Polling is quick enough, because a person decides.
const LOOK_EVERY_MS = 500;
const WAIT_MS = 30 * 60 * 1000;

/** Whether the person has allowed this tool, as shown, for the whole session. */
export async function isGranted(ctx: Deps, run: Run, tool: string, question: Question): Promise<boolean> {
  const [grant] = await ctx.db
    .select({ dangerous: toolGrants.dangerous })
    .from(toolGrants)
    .where(
      and(
        eq(toolGrants.userId, run.uid),
        eq(toolGrants.sessionId, run.sessionId),
        eq(toolGrants.tool, tool),
        eq(toolGrants.binding, question.binding),
      ),
    );
  return grant !== undefined && (grant.dangerous || !question.isDangerous);
}

/** Allows a tool, as shown, for the rest of the run's session. */
export async function grantForSession(ctx: Deps, run: Run, tool: string, question: Question): Promise<void> {
  const { binding } = question;
  const dangerous = question.isDangerous && !question.isSite;
  await ctx.db
    .insert(toolGrants)
    .values({ userId: run.uid, sessionId: run.sessionId, tool, binding, dangerous })
    .onConflictDoUpdate({
      target: [toolGrants.userId, toolGrants.sessionId, toolGrants.tool, toolGrants.binding],
      set: { dangerous: sql`${toolGrants.dangerous} or excluded.dangerous` },
    });
}

/** Waits for the person's decision on a call; `late` after half an hour. Throws the abort reason when the run is stopped. */
export async function waitForDecision(ctx: Deps, run: Run, callId: string): Promise<Decision | 'late'> {
  const word = await waitForWord(ctx, run, callId);
  return word === null ? 'late' : approval.shape.decision.parse(word);
}

/** Waits for what the person says under an id, as text; null after half an hour, or once `gaveUp` aborts. Throws the abort reason when the run is stopped. */
export async function waitForWord(ctx: Deps, run: Run, id: string, gaveUp?: AbortSignal): Promise<string | null> {
  const { signal } = run.controller;
  const find = () =>
    ctx.db
      .select({ word: sql<string | null>`${tasks.approvals} ->> ${id}` })
      .from(tasks)
      .where(and(eq(tasks.userId, run.uid), eq(tasks.id, run.taskId)));
  // Not the wall clock: it may be set forward while the person decides.
  for (const until = performance.now() + WAIT_MS; performance.now() < until && gaveUp?.aborted !== true; ) {
    signal.throwIfAborted();
    const [row] = await untilAnswered(ctx, run, find);
    if (row?.word) return row.word;
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
  return null;
}
