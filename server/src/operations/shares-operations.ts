import * as shares from '@atelier/contract/sharing/shares';
import * as usage from '@atelier/contract/spending/usage';
import { json, nothing, type Operation } from '../platform/http/operation.ts';

/** Shared links, and what answers cost. */
export const SHARES: [call: string, Operation][] = Object.entries({
  'GET /api/sessions/{sessionId}/shares': json('listSharesOfSession', 'Links to a session.', shares.sharesAnswer),
  'POST /api/sessions/{sessionId}/shares': json('createShare', 'Shares a session or an answer.', shares.shareAnswer, {
    status: 201,
    fails: ['conflict'],
  }),
  'GET /api/shares': json('listShares', 'All your links.', shares.sharesAnswer),
  'PATCH /api/shares/{shareId}': json('updateShare', 'Changes what a link shows.', shares.shareAnswer, {
    fails: ['conflict'],
  }),
  'DELETE /api/shares/{shareId}': nothing('revokeShare', 'Ends a link.'),
  'GET /api/shared/{token}': json('readShared', 'What a link shows.', shares.sharedAnswer, {
    fails: ['too_many_requests'],
  }),
  'POST /api/shared/{token}/copy': json('copyShared', 'Copies a link’s public agent.', shares.sharedCopyAnswer, {
    status: 201,
  }),
  'GET /api/usage': json('getUsage', 'Tokens and cost, by day, agent and model.', usage.usageAnswer),
});
