import * as accounts from '@atelier/contract/accounts';
import { activityAnswer } from '@atelier/contract/sign-in/activity';
import { z } from 'zod';
import { json, nothing, type Operation, other } from '../platform/http/operation.ts';

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
});
