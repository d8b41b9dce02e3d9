import { randomBytes } from 'node:crypto';
import { SHARE_LIMITS, type Share, type ShareCreate, type ShareUpdate } from '@atelier/contract/shares';
import { and, eq, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { lockUsage } from '../accounts/accounts.counts.service.ts';
import { requireLiveSignIn } from '../accounts/accounts.service.ts';
import { noteActivity } from '../accounts/activity/activity.service.ts';
import { getSession, type SessionWithAgent } from '../sessions/sessions.service.ts';
import { type LivingShare, shareById, sharesOf } from './shares.queries.ts';
import { type ShareRow, shares } from './shares.table.ts';
import { takeAnswer, takeSession } from './snapshot.service.ts';

const TOKEN_BYTES = 32;

const toShare = ({ share, session, agent }: LivingShare): Share => ({
  id: share.id,
  token: share.token,
  sessionId: share.sessionId,
  sessionName: session.name,
  agentName: agent.name,
  taskId: share.taskId,
  withReceipts: share.withReceipts,
  follows: share.follows,
  exchanges: share.follows ? null : share.taskIds.length,
  createdAt: share.createdAt.toISOString(),
  takenAt: share.takenAt.toISOString(),
});

/** The caller's links, newest first, of all sessions or one. Those of a deleted session are gone. */
export async function listShares(ctx: Deps, caller: Caller, sessionId?: string): Promise<Share[]> {
  return (await sharesOf(ctx.db, caller.uid, sessionId)).map(toShare);
}

/**
 * Creates a link to the session or one of its answers, as they are now; 409 when there is no answer yet, or there are too many links, 401 when
 * the caller was signed out meanwhile.
 */
export async function createShare(
  ctx: Deps,
  caller: Caller,
  session: Authorized<SessionWithAgent>,
  { taskId, withReceipts, follows }: ShareCreate,
): Promise<Share> {
  const snapshot =
    taskId === undefined
      ? await takeSession(ctx, session)
      : await takeAnswer(ctx, caller, { sessionId: session.id, taskId });
  const row = await ctx.db.transaction(async (tx) => {
    await lockUsage(tx, caller.uid);
    await requireLiveSignIn(tx, caller);
    // Those of deleted sessions count too.
    if ((await tx.$count(shares, eq(shares.userId, caller.uid))) >= SHARE_LIMITS.links) {
      throw new AppError(
        'conflict',
        `An account can have at most ${SHARE_LIMITS.links} shared links. Remove one first.`,
      );
    }
    // Deleted for good meanwhile: then there is nothing to hang a link on.
    await getSession(tx, caller.uid, session.id);
    const title = taskId === undefined ? session.name : '';
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const place = { userId: caller.uid, id: uuidv7(), sessionId: session.id, taskId: taskId ?? null };
    const [made] = await tx
      .insert(shares)
      .values({ ...place, ...snapshot, token, title, withReceipts, follows })
      .returning();
    await ctx.live.notify(tx, caller.uid, 'shares', session.id);
    return owned(caller.uid, made, 'This link');
  });
  await noteActivity(ctx, caller.uid, 'share_made', { about: row.id });
  return toShare({ share: row, session, agent: session.agent });
}

/** The caller's link, or 404. */
export async function getShare(ctx: Deps, caller: Caller, id: string): Promise<Authorized<ShareRow>> {
  const [share] = isUuid(id) ? await shareById(ctx.db, caller.uid, id) : [];
  return owned(caller.uid, share?.share, 'This link');
}

/**
 * Changes what a link shows; its address stays. A new picture of the session is taken when that is asked for, and when the link
 * follows no longer. 400 when one answer should follow.
 */
export async function updateShare(
  ctx: Deps,
  caller: Caller,
  share: Authorized<ShareRow>,
  { withReceipts, follows, renew = false }: ShareUpdate,
): Promise<Share> {
  if (follows && share.taskId !== null) {
    const sentence = 'One answer can’t follow a session. Share the session instead.';
    throw new AppError('invalid_input', sentence, { field: 'follows' });
  }
  const session = await getSession(ctx.db, caller.uid, share.sessionId);
  const isNew = share.taskId === null && (renew || (share.follows && follows === false));
  const snapshot = isNew ? { ...(await takeSession(ctx, session)), title: session.name, takenAt: sql`now()` } : {};
  const row = await ctx.db.transaction(async (tx) => {
    const [changed] = await tx
      .update(shares)
      .set({
        ...snapshot,
        // What isn't asked for stays as it is by now.
        withReceipts: withReceipts ?? sql`${shares.withReceipts}`,
        follows: follows ?? sql`${shares.follows}`,
      })
      .where(isShare(share))
      .returning();
    await ctx.live.notify(tx, caller.uid, 'shares', share.sessionId);
    return changed;
  });
  // Revoked meanwhile.
  if (row === undefined) throw notFound('This link');
  return toShare({ share: row, session, agent: session.agent });
}

/** Ends a link: its next visitor finds nothing. */
export async function revokeShare(ctx: Deps, share: Authorized<ShareRow>): Promise<void> {
  await noteDeletion(ctx, { kind: 'share', userId: share.userId, ids: [share.id] });
  await ctx.db.transaction(async (tx) => {
    await tx.delete(shares).where(isShare(share));
    await ctx.live.notify(tx, share.userId, 'shares', share.sessionId);
  });
  await noteActivity(ctx, share.userId, 'share_removed', { about: share.id });
}

const isShare = ({ userId, id }: ShareRow) => and(eq(shares.userId, userId), eq(shares.id, id));
