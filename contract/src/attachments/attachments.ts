import { z } from 'zod';
import { calls, create, download, get, remove, upload } from '../calls.ts';
import { uuid } from '../ids.ts';

/** How many go with one message. */
export const ATTACHMENTS_MAX = 10;
export const TOO_MANY_ATTACHED = `A message can have at most ${ATTACHMENTS_MAX} attachments.`;
export const ATTACHMENT_GONE = 'An attachment is no longer there. Remove it, and attach it again.';

export const attachmentKind = z.enum(['picture', 'file']);
export type AttachmentKind = z.infer<typeof attachmentKind>;

/** A picture or file that belongs to a message. */
export const attachment = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  /** In bytes. */
  size: z.number().int(),
  kind: attachmentKind,
  /** It is there and was read; what can't be is refused when it is uploaded. */
  state: z.literal('ready'),
  /** Where its bytes are. */
  url: z.string(),
  /** Of a picture, in pixels. */
  width: z.number().int().optional(),
  height: z.number().int().optional(),
  /** What a person should know about the reading: `Only the first 300 pages were read.` */
  note: z.string().optional(),
});
export type Attachment = z.infer<typeof attachment>;

const NAME_MAX = 80;
const NAMED_MAX = 3;

/** The words of a message that has attachments only: `Look at kiln.png and prices.csv.` */
export function wordsFor(names: readonly string[]): string {
  const named = names
    .slice(0, NAMED_MAX)
    .map((name) => (name.length > NAME_MAX ? `${name.slice(0, NAME_MAX).toWellFormed()}…` : name));
  const all = names.length > NAMED_MAX ? [...named, `${names.length - NAMED_MAX} more`] : named;
  const last = all.pop() ?? 'this';
  return all.length === 0 ? `Look at ${last}.` : `Look at ${all.join(', ')} and ${last}.`;
}

export const attachmentAnswer = z.object({ attachment });

/** What goes with a message, in order. */
export const attachmentIds = z
  .array(uuid)
  .max(ATTACHMENTS_MAX, TOO_MANY_ATTACHED)
  .refine((ids) => new Set(ids).size === ids.length, 'Each attachment goes with a message once.');

export const attachmentCalls = calls('/api/sessions/:sessionId/attachments', {
  add: create('', 'addAttachment', 'Uploads a picture or file for a message.', {
    who: 'pro',
    rate: 'uploads',
    place: 'uploads',
    body: upload,
    answer: attachmentAnswer,
    fails: ['limit_reached', 'unsupported_type'],
  }),
  get: get('/:attachmentId', 'getAttachment', 'The picture or file itself.', { answer: download }),
  remove: remove('/:attachmentId', 'deleteAttachment', 'Removes an attachment that was not sent.', {
    fails: ['conflict'],
  }),
});
