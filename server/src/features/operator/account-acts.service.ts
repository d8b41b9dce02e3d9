import type { PersonAct } from '@atelier/contract/operator/people';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import {
  type Also,
  approveAccount,
  disableAccount,
  enableAccount,
  rejectAccount,
} from '../accounts/accounts.closing.service.ts';
import { setPublishingBlock } from '../accounts/accounts.counts.service.ts';
import { confirmEmailByHand } from '../accounts/accounts.email.service.ts';
import type { MailDeps } from '../accounts/accounts.mail.service.ts';
import { issueResetLink, mailResetLink, RESET_QUEUE } from '../accounts/accounts.passwords.service.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { removeFactor } from '../accounts/accounts.two-factor.service.ts';
import { removePasskeys } from '../accounts/ways-in/passkeys.service.ts';
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

type ActOnPerson = (ctx: ActsContext, act: AccountAct & { email: string }) => Promise<boolean>;

const writes =
  (ctx: ActsContext, act: Act['act'], { actorId, userId, reason }: AccountAct): Also =>
  (tx) =>
    audit(ctx, tx, { actorId, act, subjectId: userId, reason });

/** Changes an account and writes it down, unless nothing has changed. */
const within =
  (name: Act['act'], change: (tx: Tx, act: AccountAct) => Promise<boolean>) =>
  (ctx: ActsContext, act: AccountAct): Promise<boolean> =>
    ctx.db.transaction(async (tx) => {
      const isChanged = await change(tx, act);
      if (isChanged) await writes(ctx, name, act)(tx);
      return isChanged;
    });

/** What an operator does with an account. Each returns false where it changes nothing; then nothing is written down. */
export const ACCOUNT_ACTS = {
  /** Lets a new account in, whatever it waits for. */
  approve: (ctx, act) => approveAccount(ctx, act.userId, writes(ctx, 'account_approved', act)),
  /** Deletes a new account that waits to be let in. */
  reject: (ctx, act) => rejectAccount(ctx, act.userId, writes(ctx, 'account_rejected', act)),
  /**
   * Nobody can sign in, its sessions, streams and keys end with the commit, and its answers under way right after it. What waits to be sent
   * waits for its owner.
   */
  disable: (ctx, act) =>
    disableAccount(ctx, { userId: act.userId, reason: act.reason || 'by the operator' }, async (tx) => {
      await ctx.jobs.send(tx, RESET_QUEUE, { userId: act.userId });
      await writes(ctx, 'account_disabled', act)(tx);
    }),
  /** Its user has to sign in again. */
  enable: (ctx, act) => enableAccount(ctx, act.userId, writes(ctx, 'account_enabled', act)),
  /** Mails a link to choose a new password, which the operator doesn't see; nothing where this server mails nobody. */
  'reset-link': (ctx, act) => mailResetLink(ctx, act, writes(ctx, 'reset_link_mailed', act)),
  /** Removes a second factor, and mails its owner why. */
  'remove-factor': (ctx, act) => removeFactor(ctx, act, writes(ctx, 'factor_removed', act)),
  /** Removes all passkeys, signs out everywhere, and mails its owner why. */
  'remove-passkeys': (ctx, act) => removePasskeys(ctx, act, writes(ctx, 'passkeys_removed', act)),
  /** For an email that the operator knows to be its owner's. */
  'confirm-email': (ctx, act) => confirmEmailByHand(ctx, act.userId, writes(ctx, 'email_confirmed_by_operator', act)),
  /** For life. */
  'grant-pro': within(
    'pro_granted',
    async (tx, { userId, reason }) => (await grantProWithin(tx, { userId, source: 'operator', reason })).granted,
  ),
  /** However it became Pro. */
  'take-pro': within('pro_taken_back', (tx, { userId }) => takeBackProWithin(tx, userId)),
  /** It publishes no agents any more; what is public stays so. */
  'block-publishing': within('publishing_blocked', (tx, { userId, reason }) => setPublishingBlock(tx, userId, reason)),
  'unblock-publishing': within('publishing_unblocked', (tx, { userId }) => setPublishingBlock(tx, userId, null)),
} satisfies Record<PersonAct | 'reject' | 'confirm-email', ActOnPerson>;

/** Deletes an account and all that it has. Throws 404 where somebody else has done so meanwhile. */
export const deleteByOperator = (ctx: Deps, act: AccountAct & { email: string }): Promise<void> =>
  deleteAccountUnasked(ctx, { uid: act.userId, email: act.email }, async (tx) => {
    if ((await lockUser(tx, act.userId)).length === 0) throw notFound('This account');
    await writes(ctx, 'account_removed', act)(tx);
  });

/** A link to choose a new password, for the operator to hand over. */
export const issueLinkByOperator = (ctx: ActsContext, act: AccountAct & { email: string }): Promise<string> =>
  issueResetLink(ctx, act, writes(ctx, 'reset_link_issued', act));
