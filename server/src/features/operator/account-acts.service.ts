import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { type Also, disableAccount, enableAccount } from '../accounts/accounts.closing.service.ts';
import { setPublishingBlock } from '../accounts/accounts.counts.service.ts';
import { confirmEmailByHand } from '../accounts/accounts.email.service.ts';
import type { MailDeps } from '../accounts/accounts.mail.service.ts';
import { issueResetLink, mailResetLink, RESET_QUEUE } from '../accounts/accounts.passwords.service.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { removeFactor } from '../accounts/accounts.two-factor.service.ts';
import { approveAccount, rejectAccount } from '../accounts/door/waiting.service.ts';
import { grantProWithin, takeBackProWithin } from '../billing/billing.service.ts';
import { deleteAccountUnasked } from '../removal/delete-account.service.ts';
import { type Act, type AuditDeps, audit } from './audit.service.ts';

/** What acts on accounts need: of the jobs and of open pages they only tell, so that a command beside the server can do them too. */
export type ActsContext = Pick<Deps, 'db' | 'log' | 'config' | 'trust'> &
  AuditDeps &
  MailDeps & { jobs: Pick<Jobs, 'send'> };

/** An act on an account: by which operator (null: by a command on the server's machine), on whom, and why. */
export interface AccountAct {
  actorId: string | null;
  userId: string;
  reason: string;
}

const writes =
  (ctx: ActsContext, act: Act['act'], { actorId, userId, reason }: AccountAct): Also =>
  (tx) =>
    audit(ctx, tx, { actorId, act, subjectId: userId, reason });

/**
 * Disables an account: nobody can sign in, its sessions, streams and keys end with the commit, and its answers under way right after it. What
 * waits to be sent waits for its owner.
 */
export const disableByOperator = (ctx: ActsContext, act: AccountAct): Promise<void> =>
  disableAccount(ctx, { userId: act.userId, reason: act.reason || 'by the operator' }, async (tx) => {
    await ctx.jobs.send(tx, RESET_QUEUE, { userId: act.userId });
    await writes(ctx, 'account_disabled', act)(tx);
  });

/** Enables a disabled account; its user has to sign in again. */
export const enableByOperator = (ctx: ActsContext, act: AccountAct): Promise<void> =>
  enableAccount(ctx, act.userId, writes(ctx, 'account_enabled', act));

/** Lets a new account in, whatever it waits for. Returns false where it doesn't wait. */
export const approveByOperator = async (ctx: ActsContext, act: AccountAct): Promise<boolean> =>
  (await approveAccount(ctx, act.userId, writes(ctx, 'account_approved', act))) !== null;

/** Deletes a new account that waits to be let in. Returns false where it doesn't wait. */
export const rejectByOperator = (ctx: ActsContext, act: AccountAct): Promise<boolean> =>
  rejectAccount(ctx, act.userId, writes(ctx, 'account_rejected', act));

/** Makes an account Pro, for life. Returns false where it was Pro already; then nothing is written down. */
export async function grantProByOperator(ctx: ActsContext, act: AccountAct): Promise<boolean> {
  const { userId, reason } = act;
  return ctx.db.transaction(async (tx) => {
    const { granted } = await grantProWithin(tx, { userId, source: 'operator', reason });
    if (granted) await writes(ctx, 'pro_granted', act)(tx);
    return granted;
  });
}

/** Makes an account Free again, however it became Pro. Returns false where it was Free; then nothing is written down. */
export async function takeProByOperator(ctx: ActsContext, act: AccountAct): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const isTaken = await takeBackProWithin(tx, act.userId);
    if (isTaken) await writes(ctx, 'pro_taken_back', act)(tx);
    return isTaken;
  });
}

/** Lets an account publish no agents; what is public stays so. Returns false where it was blocked already; then nothing is written down. */
export const blockPublishingByOperator = (ctx: ActsContext, act: AccountAct): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const isBlocked = await setPublishingBlock(tx, act.userId, act.reason);
    if (isBlocked) await writes(ctx, 'publishing_blocked', act)(tx);
    return isBlocked;
  });

/** Lets an account publish again. Returns false where it was not blocked; then nothing is written down. */
export const unblockPublishingByOperator = (ctx: ActsContext, act: AccountAct): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const isAllowed = await setPublishingBlock(tx, act.userId, null);
    if (isAllowed) await writes(ctx, 'publishing_unblocked', act)(tx);
    return isAllowed;
  });

/** Mails the person a link to choose a new password, which the operator doesn't see. Returns false where this server mails nobody. */
export const mailLinkByOperator = (ctx: ActsContext, act: AccountAct & { email: string }): Promise<boolean> =>
  mailResetLink(ctx, act, writes(ctx, 'reset_link_mailed', act));

/** Deletes an account and all that it has. Throws 404 where somebody else has done so meanwhile. */
export const deleteByOperator = (ctx: Deps, act: AccountAct & { email: string }): Promise<void> =>
  deleteAccountUnasked(ctx, { uid: act.userId, email: act.email }, async (tx) => {
    if ((await lockUser(tx, act.userId)).length === 0) throw notFound('This account');
    await writes(ctx, 'account_removed', act)(tx);
  });

/** A link to choose a new password, for the operator to hand over. */
export const issueLinkByOperator = (ctx: ActsContext, act: AccountAct & { email: string }): Promise<string> =>
  issueResetLink(ctx, act, writes(ctx, 'reset_link_issued', act));

/** Removes a second factor, and mails its owner why. Returns false where there is none. */
export const removeFactorByOperator = (ctx: ActsContext, act: AccountAct): Promise<boolean> =>
  removeFactor(ctx, act, writes(ctx, 'factor_removed', act));

/** Confirms an email that the operator knows to be its owner's. Returns false where it was confirmed already. */
export const confirmEmailByOperator = (ctx: ActsContext, act: AccountAct): Promise<boolean> =>
  confirmEmailByHand(ctx, act.userId, writes(ctx, 'email_confirmed_by_operator', act));
