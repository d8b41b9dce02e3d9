import { z } from 'zod';
import { calls, create, get, remove } from '../calls.ts';
import { instant } from '../ids.ts';

/** How many people one invitation of a member may bring, and how long it may last. */
export const INVITATION_LIMITS = { people: 10, days: 30 } as const;

export const invitation = z.object({
  id: z.string(),
  /** What its link ends in, behind `/signup#`. */
  token: z.string(),
  /** How many accounts were opened with it, and how many may be. */
  uses: z.number().int(),
  maxUses: z.number().int(),
  endsAt: instant,
  createdAt: instant,
});
export type Invitation = z.infer<typeof invitation>;

/** `most` is how many open ones an account may have; 0 where only the operator invites. */
export const invitationsAnswer = z.object({ invitations: z.array(invitation), most: z.number().int() });
export const invitationAnswer = z.object({ invitation });

const wholeNumber = (what: string, max: number) =>
  z
    .int(`${what} must be a whole number.`)
    .min(1, `${what} must be at least 1.`)
    .max(max, `${what} can be at most ${max}.`);
export const invitationCreate = z.strictObject({
  people: wholeNumber('The number of people', INVITATION_LIMITS.people).default(1),
  days: wholeNumber('The number of days', INVITATION_LIMITS.days).default(7),
});

export const invitationCalls = calls('/api/invitations', {
  list: get('', 'listInvitations', 'Your open invitations.', { answer: invitationsAnswer }),
  create: create('', 'createInvitation', 'Makes a link with which others may open an account.', {
    body: invitationCreate,
    answer: invitationAnswer,
    fails: ['conflict'],
  }),
  remove: remove('/:invitationId', 'removeInvitation', 'Ends an invitation: nobody opens an account with it any more.'),
});
