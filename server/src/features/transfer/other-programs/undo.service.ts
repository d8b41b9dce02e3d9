import { PAST_SENTENCES } from '@atelier/contract/transfer/past';
import { type Authorized, owned } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { AgentRow } from '../../agents/agents.table.ts';
import { changeImport, getImport } from '../imports.service.ts';
import type { AccountImportRow } from '../imports.table.ts';
import { findImportedSessions, findMadeAgent, removeAgentRow } from './past.queries.ts';
import { findPast } from './past.service.ts';

/** How the product deletes what people delete; `removal` has both. */
export interface Deletion {
  sessions: (ctx: Deps, uid: string, ids: string[]) => Promise<unknown>;
  agent: (ctx: Deps, agent: Authorized<AgentRow>) => Promise<unknown>;
}

/** The queue that removes the last of an agent that an undone import had made. */
export const UNMAKE_QUEUE = 'transfer.unmake-agent';
/** Sessions that are hidden and jobs that are sent in one transaction. */
const PORTION = 100;
/** The sessions are removed after the time for undo, so the agent's row waits for them. */
const AFTER_SECONDS = 30;
const TRIES = 100;

interface UnmakeJob {
  userId: string;
  agentId: string;
  tries: number;
}

/**
 * Deletes every session that an import of another program's export brought, with what was added to it since, and the agent that it made
 * unless that has other sessions by now. Called again, it goes on where it was interrupted. Throws 404 for other imports, 409 while there is
 * nothing to undo.
 */
export async function undoImport(
  ctx: Deps,
  deletion: Deletion,
  source: Authorized<AccountImportRow>,
): Promise<AccountImportRow> {
  const { userId, id: importId } = source;
  const key = { userId, importId };
  const past = await findPast(ctx.db, key);
  if (past === undefined) throw notFound('This import');
  const row = await ctx.db.transaction((tx) =>
    changeImport(ctx, tx, key, {
      from: ['done', 'stopped', 'failed', 'undone'],
      state: 'undone',
      key: null,
      error: null,
      finishedAt: new Date(),
    }),
  );
  if (row === undefined) throw new AppError('conflict', PAST_SENTENCES.notDone);
  for (;;) {
    const ids = await findImportedSessions(ctx.db, key, PORTION);
    if (ids.length === 0) break;
    await deletion.sessions(ctx, userId, ids);
  }
  const made = past.madeAgentId === null ? undefined : await findMadeAgent(ctx.db, userId, past.madeAgentId);
  if (made?.sessions === 0) {
    await deletion.agent(ctx, owned(userId, made.agent, 'This agent'));
    await removeLater(ctx, { userId, agentId: made.agent.id, tries: 0 });
  }
  return getImport(ctx.db, userId, importId);
}

const removeLater = (ctx: Pick<Deps, 'db' | 'jobs'>, job: UnmakeJob) =>
  ctx.db.transaction((tx) => ctx.jobs.send(tx, UNMAKE_QUEUE, job, { startAfterSeconds: AFTER_SECONDS }));

/** Registers the job that removes an agent's row once its sessions are gone. */
export function registerUndoJobs(deps: Deps): void {
  const remove = async ({ userId, agentId, tries }: UnmakeJob) => {
    const isGone = await removeAgentRow(deps.db, userId, agentId);
    if (!isGone && tries < TRIES) await removeLater(deps, { userId, agentId, tries: tries + 1 });
  };
  deps.jobs.handle<UnmakeJob>(UNMAKE_QUEUE, remove, { retryLimit: 10 });
}
