import { z } from 'zod';
import { calls, create, get, patch, remove, under } from '../calls.ts';
import { instant } from '../ids.ts';
import { actBody, optionalReason, reason } from './audit.ts';
import { serverSettings, settingChanges } from './settings.ts';

/** A variable of the environment as this process has it. */
export const variableValue = z.object({
  name: z.string(),
  /** What it is about, as in the documentation. */
  group: z.string(),
  /** As it is written there, or its default; null where it is a secret or has none. */
  value: z.string().nullable(),
  /** `file` is `.env`. */
  from: z.enum(['environment', 'file', 'default']),
  isSecret: z.boolean(),
});
export type VariableValue = z.infer<typeof variableValue>;

export const settingsAnswer = z.object({
  settings: serverSettings,
  /** What binds now: a budget by its name, from here or from the environment. */
  budgets: z.record(z.string(), z.number()),
  /** Of budgets in money. */
  currency: z.string(),
  /** The least budget of tokens: what one answer reserves. */
  leastTokens: z.number().int(),
  /** Whether this server mails people. */
  mail: z.boolean(),
  variables: z.array(variableValue),
});
export type SettingsAnswer = z.infer<typeof settingsAnswer>;

export const changeSettingsBody = z.strictObject({
  changes: settingChanges,
  /**
   * The settings that the change began from, as they were read: where one that changes has another value by now, all is refused. What isn't
   * among them counts as never set.
   */
  before: settingChanges.optional(),
  reason: optionalReason,
});

/** An invitation as the operator sees it. */
export const anyInvitation = z.object({
  id: z.string(),
  /** Whose it is; null for the operator’s. */
  by: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
  /** What its link ends in, behind `/signup#`; null for a member’s. */
  token: z.string().nullable(),
  plan: z.enum(['free', 'pro']).nullable(),
  uses: z.number().int(),
  maxUses: z.number().int(),
  endsAt: instant,
});
export type AnyInvitation = z.infer<typeof anyInvitation>;
export const allInvitationsAnswer = z.object({ invitations: z.array(anyInvitation) });

/** How many people an invitation of the operator may bring, and for how long. */
export const OPERATOR_INVITATION = { people: 10_000, days: 3_650 } as const;
export const invitationExtent = z.object({
  people: z.int().min(1).max(OPERATOR_INVITATION.people).default(1),
  days: z.int().min(1).max(OPERATOR_INVITATION.days).default(7),
  plan: z.enum(['free', 'pro']).nullable().default(null),
});
export const inviteBody = z.strictObject({ ...invitationExtent.shape, reason });
export type InviteBody = z.infer<typeof inviteBody>;
export const inviteAnswer = z.object({ invitation: anyInvitation });

export const settingsCalls = calls(under('/api/admin/settings', { who: 'operator' }), {
  read: get('', 'getServerSettings', 'What can be set while the server runs, and all variables of its environment.', {
    answer: settingsAnswer,
  }),
  change: patch('', 'changeServerSettings', 'Changes some of the settings, all or none.', {
    body: changeSettingsBody,
    answer: settingsAnswer,
    fails: ['conflict'],
  }),
  invitations: get('/invitations', 'listAllInvitations', 'The open invitations of everybody, which end first.', {
    answer: allInvitationsAnswer,
  }),
  invite: create('/invitations', 'invite', 'Makes a link with which so many people may open an account.', {
    body: inviteBody,
    answer: inviteAnswer,
  }),
  endInvitation: remove('/invitations/:invitationId', 'endInvitation', 'Ends an invitation of anybody’s.', {
    body: actBody,
  }),
});
