import type { ServerSettings, SettingChanges, SettingKey } from '@atelier/contract/operator/settings';
import type { AnyInvitation, SettingsAnswer, VariableValue } from '@atelier/contract/operator/settings-calls';
import { validate as isUuid } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { canMailPeople } from '../accounts/accounts.mail.service.ts';
import { userNames } from '../accounts/accounts.service.ts';
import {
  endInvitation,
  type InvitationRow,
  inviteByOperator,
  listAllInvitations,
} from '../accounts/door/invitations.service.ts';
import { budgetAmounts, refuseSmallBudgets } from '../budgets/budgets.service.ts';
import { changeSettings, readSettings, type SettingChange } from '../settings/settings.service.ts';
import { type Act, type AuditDeps, audit } from './audit.service.ts';

declare module '../../platform/deps.ts' {
  interface Deps {
    /** Every variable of the environment, as this process was started. */
    variables: readonly VariableValue[];
  }
}

type Ctx = Pick<Deps, 'db'> & AuditDeps;
type By = Required<Pick<Act, 'actorId' | 'reason'>>;

interface SettingsChange {
  changes: { [K in SettingKey]?: unknown };
  /** The settings that the change began from, where somebody saw them. */
  before?: SettingChanges | undefined;
}

/** Changes settings, and writes down each with what was before. Throws as `changeSettings` does. */
export async function changeByOperator(ctx: Ctx, by: By, { changes, before }: SettingsChange): Promise<ServerSettings> {
  refuseSmallBudgets(ctx.config, changes);
  const also = async (tx: Tx, changed: SettingChange[]) => {
    for (const { key, ...change } of changed) {
      await audit(ctx, tx, { ...by, act: 'setting_changed', about: key, change });
    }
  };
  return changeSettings(ctx, changes, { began: before, also });
}

/** What the page of settings shows. */
export async function readSettingsPage(
  ctx: Pick<Deps, 'db' | 'config' | 'models' | 'mail' | 'trust' | 'variables'>,
): Promise<SettingsAnswer> {
  const settings = await readSettings(ctx);
  return {
    settings,
    budgets: budgetAmounts(ctx.config, settings),
    currency: ctx.models.currency,
    leastTokens: ctx.config.BUDGET_RUN_TOKENS,
    mail: canMailPeople(ctx),
    variables: [...ctx.variables],
  };
}

/** Only the announcement needs no reason: everything else decides who comes in, or what it costs. */
export function requireReason(changes: { [K in SettingKey]?: unknown }, reason: string): void {
  const isFree = Object.keys(changes).every((key) => key.startsWith('announcement'));
  if (reason === '' && !isFree) throw new AppError('invalid_input', 'Say why.', { field: 'reason' });
}

function toInvitation(row: InvitationRow, emails: Map<string, string>): AnyInvitation {
  const { id, userId, token, plan, uses, maxUses, endsAt } = row;
  const by = userId === null ? null : { id: userId, email: emails.get(userId) ?? null };
  // A member's link is theirs to pass on.
  return { id, by, token: by === null ? token : null, plan, uses, maxUses, endsAt: endsAt.toISOString() };
}

/** The open invitations, the operator's and those of members. */
export async function listInvitationsOnPage(ctx: Pick<Deps, 'db'>): Promise<AnyInvitation[]> {
  const rows = await listAllInvitations(ctx);
  const emails = await userNames(ctx, [...new Set(rows.flatMap(({ userId }) => userId ?? []))]);
  return rows.map((row) => toInvitation(row, emails));
}

/** Makes an invitation, and writes it down. */
export const inviteAsOperator = (
  ctx: Ctx,
  by: By,
  extent: Parameters<typeof inviteByOperator>[1],
): Promise<InvitationRow> =>
  inviteByOperator(ctx, extent, (tx, about) => audit(ctx, tx, { ...by, act: 'invitation_made', about }));

/** The same for the page. */
export const inviteOnPage = async (...invited: Parameters<typeof inviteAsOperator>): Promise<AnyInvitation> =>
  toInvitation(await inviteAsOperator(...invited), new Map());

/** Ends an invitation, and writes that down. Throws 404 when there is none. */
export async function endAsOperator(ctx: Ctx, by: By, id: string): Promise<void> {
  const end = () => endInvitation(ctx, id, (tx) => audit(ctx, tx, { ...by, act: 'invitation_ended', about: id }));
  if (!isUuid(id) || !(await end())) throw notFound('This invitation');
}
