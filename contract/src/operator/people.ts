import { z } from 'zod';
import { waitsFor } from '../accounts/door.ts';
import { calls, get, post, remove, under } from '../calls.ts';
import { instant, pageQuery } from '../ids.ts';
import { actBody, optionalReason, reason } from './audit.ts';

/** How the operator's list of people is sorted: the newest first, who signed in last first, or by email. */
export const peopleSort = z.enum(['newest', 'seen', 'email']);
export type PeopleSort = z.infer<typeof peopleSort>;
/** Everybody, or the new accounts that wait to be let in. */
export const peopleShow = z.enum(['all', 'waiting']);

/** An account as an operator sees it: who it is, and counts and sizes. Nothing that they wrote. */
export const person = z.object({
  id: z.string(),
  displayName: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  plan: z.enum(['free', 'pro']),
  disabled: z.boolean(),
  /** What a new account waits for; nobody signs in to it meanwhile. */
  waitingFor: waitsFor.nullable(),
  twoFactor: z.boolean(),
  createdAt: instant,
  /** The last sign-in or message, whichever is later. */
  lastSeenAt: instant.nullable(),
  messages: z.number().int(),
  sessions: z.number().int(),
  /** Exchanges that are stored. */
  exchanges: z.number().int(),
  /** Of files and attachments, in bytes. */
  storage: z.number().int(),
});
export type Person = z.infer<typeof person>;

export const peopleQuery = pageQuery.extend({
  /** Beginnings of words of the name or the email. */
  search: z.string().trim().max(200).default(''),
  sort: peopleSort.default('newest'),
  show: peopleShow.default('all'),
});
export type PeopleQuery = z.infer<typeof peopleQuery>;
export const peopleAnswer = z.object({ people: z.array(person), nextCursor: z.string().nullable() });

/** What a deletion takes with it, as counts. */
export const holdings = z.object({
  agents: z.number().int(),
  publicAgents: z.number().int(),
  memories: z.number().int(),
  facts: z.number().int(),
  files: z.number().int(),
  attachments: z.number().int(),
  prompts: z.number().int(),
  keys: z.number().int(),
  links: z.number().int(),
  payments: z.number().int(),
});
export type Holdings = z.infer<typeof holdings>;

/** One account, with what it has and why it is Pro or disabled, in the operators' words. */
export const personDetails = person.extend({
  disabledReason: z.string().nullable(),
  /** Why the account may not publish agents; null where it may. */
  publishingBlocked: z.string().nullable(),
  passkeys: z.number().int(),
  holdings,
  grants: z.array(z.object({ at: instant, source: z.enum(['operator', 'payment']), reason: z.string() })),
  /** It is the operator's own, which can't be disabled or deleted here. */
  isOwn: z.boolean(),
});
export type PersonDetails = z.infer<typeof personDetails>;
export const personAnswer = z.object({
  person: personDetails,
  /** Whether this server mails people. */
  mail: z.boolean(),
});

/** What an operator does with an account, and why; who is helped needs no reason. */
export const personActBody = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.enum([
      'approve',
      'disable',
      'remove-factor',
      'remove-passkeys',
      'grant-pro',
      'take-pro',
      'block-publishing',
    ]),
    reason,
  }),
  z.strictObject({
    act: z.enum(['enable', 'reset-link', 'unblock-publishing']),
    reason: optionalReason,
  }),
]);
export type PersonAct = z.infer<typeof personActBody>['act'];
/** The email again, so that nobody deletes the wrong account. */
export const deletePersonBody = z.strictObject({ reason, email: z.string('The email is missing.').max(254) });

export const peopleCalls = calls(under('/api/admin/people', { who: 'operator' }), {
  list: get('', 'listPeople', 'Accounts with counts and sizes, page by page.', {
    rate: 'searches',
    query: peopleQuery,
    answer: peopleAnswer,
  }),
  read: get('/:accountId', 'getPerson', 'One account, with what a deletion would take.', { answer: personAnswer }),
  act: post(
    '/:accountId/acts',
    'actOnPerson',
    'Lets in, disables, enables or helps an account, or changes its plan or what it may publish.',
    { body: personActBody, answer: personAnswer, fails: ['conflict'] },
  ),
  reject: post('/:accountId/reject', 'rejectPerson', 'Deletes a new account that waits to be let in.', {
    body: actBody,
    fails: ['conflict'],
  }),
  delete: remove('/:accountId', 'deletePerson', 'Deletes the account and all that it has.', {
    body: deletePersonBody,
    fails: ['conflict'],
  }),
});
