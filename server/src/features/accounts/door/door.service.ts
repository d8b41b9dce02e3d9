import type { Door, DoorRefusal, WaitsFor } from '@atelier/contract/accounts/door';
import type { ServerSettings } from '@atelier/contract/operator/settings';
import { eq, sql } from 'drizzle-orm';
import { createIsTrusted } from '../../../platform/client-address.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { readSettings } from '../../settings/settings.service.ts';
import { type AttemptResult, consumeAddress, consumeAttempt } from '../accounts.limits.service.ts';
import { user } from '../accounts.table.ts';
import { judgeInvitation, spendInvitation } from './invitations.service.ts';
import { grantByRule } from './plan.queries.ts';

/** Who wants to open an account. */
export interface Applicant {
  email: string;
  /** Whether a provider has confirmed it; null for somebody who comes without one. */
  emailVerified: boolean | null;
  invitation: string | undefined;
}

/** How an account is opened: what it waits for, and why it begins as Pro, if it does. */
export interface Admission {
  waitingFor: WaitsFor | null;
  proBecause: string | null;
}

type Ctx = { db: Db };

/** What the sign-up page says beforehand. */
export async function describeDoor(ctx: Ctx, token: string | undefined): Promise<Door> {
  const settings = await readSettings(ctx);
  const mode = settings['sign-up'];
  const domains = mode === 'domain' ? settings['sign-up-domains'] : [];
  return { mode, domains, invitation: token === undefined ? null : (await judgeInvitation(ctx, token)).state };
}

/** Whether an email is of one of the operator's domains; not of a domain below them. */
const isOfDomain = ({ 'sign-up-domains': domains }: ServerSettings, email: string) =>
  domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());

/** What would come of it now, without using the invitation. */
async function judge(ctx: Ctx, applicant: Applicant) {
  const settings = await readSettings(ctx);
  const mode = settings['sign-up'];
  const refused = (refusal: DoorRefusal) => ({ refusal });
  if (mode === 'closed') return refused('SIGN_UP_CLOSED');
  const ofDomain = isOfDomain(settings, applicant.email);
  const invitation = applicant.invitation === undefined ? undefined : await judgeInvitation(ctx, applicant.invitation);
  if (invitation !== undefined && invitation.state !== 'open') return refused(invitation.state);
  const proBecause = becauseOf(settings, {
    ofDomain: ofDomain && applicant.emailVerified === true,
    plan: invitation?.row.plan,
  });
  const admitted = (waitingFor: WaitsFor | null) => ({ waitingFor, proBecause, invitationId: invitation?.row.id });
  if (invitation !== undefined || mode === 'open') return admitted(null);
  if (mode === 'approval') return admitted('approval');
  if (mode === 'invitation') return refused('INVITATION_NEEDED');
  if (!ofDomain) return refused('WRONG_DOMAIN');
  // Only who is signed in confirms it: it may be somebody else's.
  if (applicant.emailVerified === false) return refused('EMAIL_UNVERIFIED');
  return admitted(applicant.emailVerified === null ? 'confirmation' : null);
}

function becauseOf(
  settings: ServerSettings,
  { ofDomain, plan }: { ofDomain: boolean; plan: 'free' | 'pro' | null | undefined },
): string | null {
  if (plan === 'pro') return 'by an invitation of the operator';
  if (plan === 'free') return null;
  if (settings['new-account-plan'] === 'pro') return 'by the setting new-account-plan';
  return ofDomain && settings['domain-plan'] === 'pro' ? 'by the setting domain-plan' : null;
}

/** Why somebody would be refused; null when they may open an account. Asked before anything expensive. */
export async function refusalAtDoor(ctx: Ctx, applicant: Applicant): Promise<DoorRefusal | null> {
  const judged = await judge(ctx, applicant);
  return 'refusal' in judged ? judged.refusal : null;
}

/** Lets somebody in, in the transaction that opens the account: uses the invitation. Returns the refusal otherwise. */
export async function admit(tx: Tx, applicant: Applicant): Promise<Admission | { refusal: DoorRefusal }> {
  const judged = await judge({ db: tx }, applicant);
  if ('refusal' in judged) return judged;
  const { invitationId, ...admission } = judged;
  if (invitationId !== undefined && !(await spendInvitation(tx, invitationId)))
    return { refusal: 'INVITATION_USED_UP' };
  return admission;
}

/** What the first proof of a new account's email opens: the door by domain, and the plan of its domain. */
export async function openByEmail(tx: Tx, userId: string, email: string): Promise<void> {
  await tx
    .update(user)
    .set({ waitingFor: sql`nullif(${user.waitingFor}, 'confirmation')` })
    .where(eq(user.id, userId));
  const settings = await readSettings({ db: tx });
  if (isOfDomain(settings, email) && settings['domain-plan'] === 'pro')
    await grantByRule(tx, userId, 'by the setting domain-plan');
}

/** What an account waits for; null when anybody may sign in to it. */
export async function waitOf({ db }: Ctx, userId: string): Promise<WaitsFor | null> {
  const [row] = await db.select({ waitingFor: user.waitingFor }).from(user).where(eq(user.id, userId));
  return row?.waitingFor ?? null;
}

/** Whether an address is in a network that the operator has named as their own, behind which many people may be. */
export async function isOwnNetwork(ctx: Ctx, address: string): Promise<boolean> {
  const { 'own-networks': own } = await readSettings(ctx);
  return own.length > 0 && createIsTrusted(own)(address);
}

/** How many times the sign-ups of one address come from a network of the operator's. */
const OWN_NETWORK = 10;

/**
 * Counts somebody who may open an account, before anything expensive. Who comes with an invitation counts for it, and not for the address,
 * behind which a whole class may sit.
 */
export async function countAtDoor(
  ctx: Pick<Deps, 'db' | 'config'>,
  from: { path: string; address: string; invitation: string | undefined },
): Promise<AttemptResult> {
  const { path, address, invitation } = from;
  const { AUTH_RATE_MAX: max } = ctx.config;
  const judged = invitation === undefined ? undefined : await judgeInvitation(ctx, invitation);
  // Some mistype, and some names are taken.
  if (judged?.state === 'open')
    return consumeAttempt(ctx, `invitation|${judged.row.id}|${path}`, {
      window: 60,
      max: max + 3 * judged.row.maxUses,
    });
  return consumeAddress(ctx, path, address, (await isOwnNetwork(ctx, address)) ? max * OWN_NETWORK : max);
}
