import * as accounts from '@atelier/contract/accounts';
import * as billing from '@atelier/contract/billing';
import * as contact from '@atelier/contract/contact';
import * as imports from '@atelier/contract/imports';
import { activityAnswer } from '@atelier/contract/sign-in/activity';
import { z } from 'zod';
import { json, nothing, ONCE, type Operation, other, upload } from '../platform/http/operation.ts';

export const alive = z.object({ status: z.literal('alive') });
export const ready = z.object({
  status: z.literal('ready'),
  product: z.string(),
  degraded: z.array(z.string()).describe('Parts of the installation that don’t work'),
});

/** The account: plan, data, messages to the operator; and the health of the server. */
export const ACCOUNT: [call: string, Operation][] = Object.entries({
  'GET /healthz': json('isAlive', 'Answers while the process runs.', alive),
  'GET /readyz': json('isReady', 'Answers while the server can serve.', ready),
  'GET /metrics': other('readMetrics', 'Figures of this process for Prometheus.', 'text/plain', {
    fails: ['forbidden'],
  }),
  'GET /api/me': json('getMe', 'Who is signed in, their plan, limits and models.', accounts.me),
  'GET /api/me/activity': json('listActivity', 'What concerned the safety of your account.', activityAnswer),
  'PUT /api/me/photo': json('setPhoto', 'Sets your photo: a PNG, JPEG or WebP.', accounts.photoAnswer, {
    body: { type: 'image/*', schema: z.file() },
    fails: ['unsupported_type'],
  }),
  'DELETE /api/me/photo': nothing('removePhoto', 'Removes your photo.'),
  'GET /api/me/photo/{file}': other('getPhoto', 'Your photo.', '*/*', { fails: ['not_found'] }),
  'GET /api/export': other('exportAccount', 'Everything of the account as an archive.', 'application/zip', {
    download: true,
  }),
  'GET /api/imports': json('getLatestImport', 'The latest import of an account.', imports.latestImportAnswer),
  'POST /api/imports': json('uploadArchive', 'Takes an archive and says what is in it.', imports.accountImportAnswer, {
    status: 201,
    body: upload,
    fails: ['conflict'],
  }),
  'POST /api/imports/{importId}/start': json('startImport', 'Begins, or goes on.', imports.accountImportAnswer, {
    status: 202,
    fails: ['conflict'],
  }),
  'POST /api/imports/{importId}/stop': json('stopImport', 'Stops; what came stays.', imports.accountImportAnswer),
  'DELETE /api/imports/{importId}': nothing('discardImport', 'Deletes an archive and its report.', {
    fails: ['conflict'],
  }),
  'GET /api/billing': json('getBilling', 'Plan, price and payments.', billing.billingAnswer),
  'POST /api/billing/checkout': json('startCheckout', 'Begins a payment.', billing.checkoutAnswer, {
    fails: ['forbidden', 'conflict', 'provider_failed'],
  }),
  'POST /api/billing/verify': json('verifyPayment', 'Asks the provider about a payment.', billing.verifyAnswer, {
    fails: ['not_found', 'provider_failed'],
  }),
  'POST /api/billing/recheck': json('recheckPayments', 'Asks about every open payment.', billing.billingAnswer, {
    fails: ['provider_failed'],
  }),
  'POST /api/sandbox/checkout/{accessCode}': json('chooseOutcome', 'Ends a test payment.', billing.sandboxAnswer, {
    fails: ['provider_failed'],
  }),
  'POST /api/webhooks/paystack': json('receivePaystack', 'For Paystack’s server.', billing.webhookAnswer),
  'POST /api/webhooks/sandbox': json('receiveSandbox', 'For the sandbox’s server.', billing.webhookAnswer),
  'POST /api/contact': json('sendMessage', 'Writes to the operator.', contact.contactAnswer, {
    status: 201,
    headers: ONCE,
    fails: ['too_many_requests'],
  }),
});
