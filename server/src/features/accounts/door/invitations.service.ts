import { randomBytes } from 'node:crypto';
import type { Invitation } from '@atelier/contract/accounts/invitations';
import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../../access.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { readSettings } from '../../settings/settings.service.ts';
import { lockUser, mayEnter } from '../accounts.service.ts';
import { user } from '../accounts.table.ts';
import { invitations } from './invitations.table.ts';

export type InvitationRow = typeof invitations.$inferSelect;
interface Extent {
  people: number;
  days: number;
  plan?: 'free' | 'pro' | null;
}

const isOpen = and(lt(invitations.uses, invitations.maxUses), gt(invitations.endsAt, sql`now()`));

const shown = ({ id, token, uses, maxUses, endsAt, createdAt }: InvitationRow): Invitation => ({
  id,
  token,
  uses,
  maxUses,
  endsAt: endsAt.toISOString(),
  createdAt: createdAt.toISOString(),
});

async function add(db: Db, userId: string | null, { people, days, plan = null }: Extent): Promise<InvitationRow> {
  const token = randomBytes(32).toString('base64url');
  const endsAt = sql`now() + make_interval(days => ${days})`;
  const [row] = await db
    .insert(invitations)
    .values({ id: uuidv7(), userId, token, plan, maxUses: people, endsAt })
    .returning();
  if (row === undefined) throw new Error('the invitation was not stored');
  return row;
}

/** Makes an invitation of the operator's. `also` belongs into the same transaction. */
export const inviteByOperator = (
  ctx: Pick<Deps, 'db'>,
  extent: Extent,
  also?: (tx: Tx, id: string) => Promise<void>,
): Promise<InvitationRow> =>
  ctx.db.transaction(async (tx) => {
    const row = await add(tx, null, extent);
    await also?.(tx, row.id);
    return row;
  });

/** The open invitations, for the operator: whose each is, null for theirs. */
export const listAllInvitations = (ctx: { db: Db }): Promise<InvitationRow[]> =>
  ctx.db.select().from(invitations).where(isOpen).orderBy(asc(invitations.endsAt)).limit(1_000);

/** Ends any invitation, for the operator; false when there is none. `also` belongs into the same transaction. */
export const endInvitation = (
  ctx: Pick<Deps, 'db'> & { live: Pick<Deps['live'], 'notify'> },
  id: string,
  also?: (tx: Tx) => Promise<void>,
): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const [gone] = await tx.delete(invitations).where(eq(invitations.id, id)).returning({ uid: invitations.userId });
    if (gone === undefined) return false;
    if (gone.uid !== null) await ctx.live.notify(tx, gone.uid, 'settings', 'member-invitations');
    await also?.(tx);
    return true;
  });

/** A member's open invitations, the latest first, and how many they may have. */
export async function listInvitations(ctx: { db: Db }, { uid }: Caller) {
  const { 'member-invitations': most } = await readSettings(ctx);
  const rows = await ctx.db
    .select()
    .from(invitations)
    .where(and(eq(invitations.userId, uid), isOpen))
    .orderBy(desc(invitations.createdAt));
  return { invitations: rows.map(shown), most };
}

/** Makes an invitation of a member's. Throws 403 where members don't invite, 409 when they have as many open ones as they may. */
export async function invite(ctx: Pick<Deps, 'db' | 'live'>, { uid }: Caller, extent: Extent): Promise<Invitation> {
  return ctx.db.transaction(async (tx) => {
    const { 'member-invitations': most } = await readSettings({ db: tx });
    if (most === 0) throw new AppError('forbidden', 'Only the operator can invite people here.');
    await lockUser(tx, uid);
    // What nobody can use any more needs no place.
    await tx.delete(invitations).where(and(eq(invitations.userId, uid), sql`not (${isOpen})`));
    if ((await tx.$count(invitations, eq(invitations.userId, uid))) >= most) {
      throw new AppError('conflict', 'You can’t have more open invitations. End one of them first.');
    }
    const row = await add(tx, uid, { people: extent.people, days: extent.days });
    await ctx.live.notify(tx, uid, 'settings', 'member-invitations');
    return shown(row);
  });
}

/** Ends a member's own invitation; throws 404 for somebody else's. */
export async function removeInvitation(ctx: Pick<Deps, 'db' | 'live'>, { uid }: Caller, id: string): Promise<void> {
  if (!isUuid(id)) throw notFound('This invitation');
  await ctx.db.transaction(async (tx) => {
    const own = and(eq(invitations.id, id), eq(invitations.userId, uid));
    const gone = await tx.delete(invitations).where(own).returning({ id: invitations.id });
    if (gone.length === 0) throw notFound('This invitation');
    await ctx.live.notify(tx, uid, 'settings', 'member-invitations');
  });
}

/** What an invitation is worth that somebody came with. A member's counts as long as members invite, and theirs is open. */
export async function judgeInvitation(ctx: { db: Db }, token: string) {
  const hasEnded = sql<boolean>`${invitations.endsAt} <= now() or coalesce(not ${mayEnter}, false)`;
  const [invitation] = await ctx.db
    .select({ row: invitations, hasEnded })
    .from(invitations)
    .leftJoin(user, eq(user.id, invitations.userId))
    .where(eq(invitations.token, token));
  if (invitation === undefined) return { state: 'INVITATION_UNKNOWN' as const };
  const { row, hasEnded: isOver } = invitation;
  const isWithdrawn = row.userId !== null && (await readSettings(ctx))['member-invitations'] === 0;
  if (isOver || isWithdrawn) return { state: 'INVITATION_ENDED' as const };
  if (row.uses >= row.maxUses) return { state: 'INVITATION_USED_UP' as const };
  return { state: 'open' as const, row };
}

/** Uses an invitation once, in the transaction that opens the account; false when somebody else was first. */
export async function spendInvitation(tx: Tx, id: string): Promise<boolean> {
  const used = await tx
    .update(invitations)
    .set({ uses: sql`${invitations.uses} + 1` })
    .where(and(eq(invitations.id, id), isOpen))
    .returning({ userId: invitations.userId });
  return used.length > 0;
}
