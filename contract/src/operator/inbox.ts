import { z } from 'zod';
import { calls, get, post, under } from '../calls.ts';
import { contactMessage } from '../contact.ts';
import { instant, pageQuery } from '../ids.ts';
import { optionalActBody } from './audit.ts';

/** Where a message of the contact page is: not answered yet, answered, or held back because it looks automated. */
export const inboxBox = z.enum(['open', 'answered', 'held']);
export type InboxBox = z.infer<typeof inboxBox>;

/** What somebody wrote to the operator. */
export const inboxMessage = z.object({
  id: z.string(),
  at: instant,
  /** Where to reply. */
  email: z.string(),
  /** Who wrote it, where they were signed in. */
  accountId: z.string().nullable(),
  message: z.string(),
  box: inboxBox,
  /** How far it is on its way into the operator’s mailbox. */
  delivery: z.enum(['waiting', 'sending', 'sent', 'refused', 'held']),
  answeredAt: instant.nullable(),
  /** The reply, where it was written here. */
  answer: z.string().nullable(),
});
export type InboxMessage = z.infer<typeof inboxMessage>;

export const inboxQuery = pageQuery.extend({ box: inboxBox.default('open') });
export type InboxQuery = z.infer<typeof inboxQuery>;
export const inboxAnswer = z.object({
  messages: z.array(inboxMessage),
  nextCursor: z.string().nullable(),
  /** Whether this server mails people, so that a reply can be sent from here. */
  mail: z.boolean(),
});

export const replyBody = z.strictObject({ text: contactMessage });

export const inboxCalls = calls(under('/api/admin/inbox', { who: 'operator' }), {
  list: get('', 'listInbox', 'Messages of the contact page, the newest first.', {
    query: inboxQuery,
    answer: inboxAnswer,
  }),
  reply: post('/:messageId/reply', 'replyToMessage', 'Mails a reply, and marks the message answered.', {
    body: replyBody,
    fails: ['conflict'],
  }),
  close: post('/:messageId/answered', 'markAnswered', 'Marks a message that was answered elsewhere.', {
    body: optionalActBody,
    fails: ['conflict'],
  }),
});
