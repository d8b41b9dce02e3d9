import { z } from 'zod';
import { activityEvent } from '../accounts/activity.ts';
import { calls, download, get, under } from '../calls.ts';
import { instant, pageQuery } from '../ids.ts';

/** In characters. */
export const REASON_MAX = 500;

/** Why an operator does something. The person may read it. */
export const reason = z
  .string('The reason is missing.')
  .trim()
  .min(1, 'Say why.')
  .max(REASON_MAX, `The reason can have at most ${REASON_MAX} characters.`);
/** What an act of an operator needs: why. */
export const actBody = z.strictObject({ reason });
/** Where a reason may be left out. */
export const optionalReason = z
  .string()
  .trim()
  .max(REASON_MAX, `The reason can have at most ${REASON_MAX} characters.`)
  .default('');
export const optionalActBody = z.strictObject({ reason: optionalReason });

/** What an operator has done, in words. */
export const AUDIT_ACTS = {
  pro_granted: 'Granted Pro',
  pro_taken_back: 'Took back Pro',
  account_disabled: 'Disabled the account',
  account_enabled: 'Enabled the account',
  email_confirmed_by_operator: 'Confirmed the email',
  reset_link_issued: 'Made a link to reset the password',
  reset_link_mailed: 'Mailed a link to reset the password',
  factor_removed: 'Removed the second factor',
  passkeys_removed: 'Removed the passkeys',
  account_removed: 'Deleted the account',
  message_removed: 'Deleted a message of the contact page',
  message_answered: 'Answered a message of the contact page',
  job_retried: 'Retried a job',
  job_deleted: 'Deleted a job',
  payment_asked: 'Asked the provider about a payment',
  tools_approved: 'Approved changed tools',
  tools_left_off: 'Left changed tools off',
  models_offered: 'Offered models',
  models_taken_away: 'Took models away',
  audit_exported: 'Exported the audit log',
  setting_changed: 'Changed a setting',
  invitation_made: 'Made an invitation',
  invitation_ended: 'Ended an invitation',
  account_approved: 'Let the new account in',
  account_rejected: 'Rejected the new account',
  reports_dismissed: 'Dismissed reports of a public agent',
  agent_unpublished: 'Unpublished an agent',
  publishing_blocked: 'Blocked publishing',
  publishing_unblocked: 'Allowed publishing again',
} as const;
export type AuditAct = keyof typeof AUDIT_ACTS;
export const auditAct = z.enum(Object.keys(AUDIT_ACTS) as [AuditAct, ...AuditAct[]]);

/**
 * An act of an operator, or an event that concerns the safety of an account. Nothing in it is a word of the people whom it concerns: accounts
 * are ids, with the email as long as they exist.
 */
export const auditEntry = z.object({
  id: z.string(),
  at: instant,
  kind: z.enum(['act', 'security']),
  what: z.union([auditAct, activityEvent]),
  /** Who did it: an operator; null for a command on the server’s machine, and for security events. */
  actor: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
  /** Whom it concerns. */
  subject: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
  /** What it concerns: an id, a reference, a name of the configuration. */
  about: z.string().nullable(),
  reason: z.string(),
  /** The value of a setting before and after. */
  change: z.object({ before: z.string(), after: z.string() }).nullable(),
  /** How often within an hour, or how many it concerns. */
  count: z.number().int(),
  /** The first part of the address only, of security events. */
  network: z.string().nullable(),
  device: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditQuery = pageQuery.extend({
  kind: z.enum(['all', 'act', 'security']).default('all'),
  /** Of one account. */
  account: z.string().max(100).optional(),
});
export type AuditQuery = z.infer<typeof auditQuery>;

export const auditAnswer = z.object({ entries: z.array(auditEntry), nextCursor: z.string().nullable() });

export const auditCalls = calls(under('/api/admin/audit', { who: 'operator' }), {
  list: get('', 'listAudit', 'What operators have done, and security events: the latest first.', {
    rate: 'searches',
    query: auditQuery,
    answer: auditAnswer,
  }),
  export: get('/export', 'exportAudit', 'The whole of it as JSON, one entry a line.', {
    query: auditQuery.pick({ kind: true, account: true }),
    answer: download,
  }),
});
