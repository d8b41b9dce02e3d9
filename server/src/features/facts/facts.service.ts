import {
  FACTS_LISTED,
  FACTS_PINNED_MAX,
  type Fact,
  type FactSettings,
  type FactsQuery,
  type FactUpdate,
} from '@atelier/contract/facts';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { blankInReceipts } from '../memory/forget.service.ts';
import {
  blankForgotten,
  countPinned,
  findFact,
  findFacts,
  type ListedRow,
  lockAgent,
  withRepetitions,
} from './facts.queries.ts';
import { type FactRow, factSettings, facts } from './facts.table.ts';

/** The queue that removes the words of forgotten facts, after the time for undo. */
export const FACTS_PURGE_QUEUE = 'facts.purge';
// The page offers undo for 5 s; a slow network gets as much again.
const PURGE_AFTER_SECONDS = 10;

/** A fact for the API: with its agent's address, never hidden keys. */
function toFact({ fact, agentSlug, agentName, saidAt, sessionId, sessionName, taskId, ...row }: ListedRow): Fact {
  return {
    id: fact.id,
    agentId: agentSlug,
    agentName,
    text: fact.text,
    about: fact.about,
    source: {
      memoryId: fact.memoryId,
      sessionId,
      sessionName,
      ...(taskId === null ? {} : { taskId }),
      timestamp: saidAt.toISOString(),
    },
    ...(row.supersedes === null ? {} : { supersedes: row.supersedes }),
    ...(row.replacedBy === null ? {} : { replacedBy: row.replacedBy }),
    pinned: fact.pinned,
    corrected: fact.correctedAt !== null,
  };
}

/** The caller's facts, newest first; `more` when there are more than are listed. */
export async function listFacts(ctx: Pick<Deps, 'db'>, caller: Caller, query: FactsQuery) {
  const rows = await findFacts(ctx.db, caller.uid, query);
  return { facts: rows.slice(0, FACTS_LISTED).map(toFact), more: rows.length > FACTS_LISTED };
}

/** The caller's fact, or 404. */
export async function getFact(ctx: Pick<Deps, 'db'>, caller: Caller, id: string): Promise<Authorized<FactRow>> {
  const [row] = isUuid(id) ? await findFact(ctx.db, caller.uid, id) : [];
  return owned(caller.uid, row?.fact, 'This fact');
}

const CHANGED = 'This fact has changed in the meantime. Please take another look.';

/** Corrects a fact, also where it was said again, or pins or unpins it; throws 409 when another tab was faster. */
export async function updateFact(
  ctx: Deps,
  caller: Caller,
  fact: Authorized<FactRow>,
  change: FactUpdate,
): Promise<Fact> {
  const text = change.text?.trim();
  const isNew = text !== undefined && text !== fact.text;
  await ctx.db.transaction(async (tx) => {
    if (change.pinned === true && !fact.pinned) {
      await lockAgent(tx, fact);
      if ((await countPinned(tx, fact)) >= FACTS_PINNED_MAX) {
        const sentence = `At most ${FACTS_PINNED_MAX} facts of an agent can be pinned. Unpin one first.`;
        throw new AppError('conflict', sentence);
      }
    }
    const set = {
      ...(isNew ? { text, correctedAt: sql`now()` } : {}),
      ...(change.pinned === undefined ? {} : { pinned: change.pinned }),
    };
    if (Object.keys(set).length === 0) return;
    const unchanged = and(eq(facts.userId, fact.userId), eq(facts.id, fact.id), eq(facts.text, fact.text));
    const written = await tx
      .update(facts)
      .set(set)
      .where(and(unchanged, isNull(facts.forgottenAt)))
      .returning({ id: facts.id });
    if (written.length === 0) throw new AppError('conflict', CHANGED);
    if (isNew) {
      const repeated = and(eq(facts.userId, fact.userId), eq(facts.sameAs, fact.id));
      await tx.update(facts).set({ text, correctedAt: sql`now()` }).where(repeated);
    }
    await ctx.live.notify(tx, caller.uid, 'memories', fact.id);
  });
  return toFact(await readListed(ctx, caller, fact.id));
}

async function readListed(ctx: Pick<Deps, 'db'>, caller: Caller, id: string): Promise<ListedRow> {
  const [row] = await findFact(ctx.db, caller.uid, id);
  if (row === undefined) throw notFound('This fact');
  return row;
}

/**
 * Forgets a fact, also where it was said again: agents no longer get it, nor the sentence that states it. Its words are removed after the
 * time for undo; what was said stays in its session. Throws 404 when another tab was faster.
 */
export async function forgetFact(ctx: Deps, caller: Pick<Caller, 'uid'>, fact: Authorized<FactRow>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const gone = await tx
      .update(facts)
      .set({ forgottenAt: sql`now()` })
      .where(and(withRepetitions(fact.userId, fact.id), isNull(facts.forgottenAt)))
      .returning({ id: facts.id });
    if (gone.length === 0) throw notFound('This fact');
    const job = { userId: fact.userId, agentId: fact.agentId, factId: fact.id };
    await ctx.jobs.send(tx, FACTS_PURGE_QUEUE, job, { startAfterSeconds: PURGE_AFTER_SECONDS });
    await ctx.live.notify(tx, caller.uid, 'memories', fact.id);
  });
}

/** Undoes forgetting within the time for it; throws 404 afterwards. */
export async function restoreFact(ctx: Deps, caller: Caller, id: string): Promise<Fact> {
  if (!isUuid(id)) throw notFound('This fact');
  await ctx.db.transaction(async (tx) => {
    const back = await tx
      .update(facts)
      .set({ forgottenAt: null })
      .where(and(withRepetitions(caller.uid, id), isNotNull(facts.forgottenAt), sql`${facts.text} <> ''`))
      .returning({ id: facts.id });
    if (back.length === 0) throw notFound('This fact');
    await ctx.live.notify(tx, caller.uid, 'memories', id);
  });
  return toFact(await readListed(ctx, caller, id));
}

/** Removes the words of a fact that is still forgotten, from receipts too. */
export async function purgeFact(ctx: Deps, job: { userId: string; agentId: string; factId: string }): Promise<void> {
  // Forgotten, restored and forgotten again: the later one has its own job.
  const gone = await blankForgotten(ctx.db, job.userId, job.factId, PURGE_AFTER_SECONDS - 1).returning({
    id: facts.id,
  });
  const ids = gone.map(({ id }) => id);
  if (ids.length === 0) return;
  await noteDeletion(ctx, { kind: 'fact', userId: job.userId, ids });
  await blankInReceipts(ctx, { userId: job.userId, agentId: job.agentId, ids });
}

/** Whether facts are kept for the caller, and how this installation finds them. */
export async function readFactSettings(
  ctx: Pick<Deps, 'db' | 'config' | 'models'>,
  { uid }: Caller,
): Promise<FactSettings> {
  const [row] = await ctx.db.select().from(factSettings).where(eq(factSettings.userId, uid));
  const { FACTS } = ctx.config;
  return {
    distil: row?.distil ?? true,
    installation: FACTS === 'model' && ctx.models.kind === 'offline' ? 'rules' : FACTS,
  };
}

/** Switches the keeping of new facts on or off for the caller; those that are known stay. */
export async function changeFactSettings(
  ctx: Deps,
  caller: Caller,
  { distil }: { distil: boolean },
): Promise<FactSettings> {
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(factSettings)
      .values({ userId: caller.uid, distil })
      .onConflictDoUpdate({ target: factSettings.userId, set: { distil } });
    await ctx.live.notify(tx, caller.uid, 'facts', caller.uid);
  });
  return readFactSettings(ctx, caller);
}
