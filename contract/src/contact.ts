import { z } from 'zod';
import { calls, create, ONCE } from './calls.ts';
import { plainText } from './names/plain-text.ts';

/** In characters. */
export const CONTACT_LIMITS = { message: 5_000, email: 254 } as const;

/** How long the contact page shows its notice, in milliseconds. */
export const CONTACT_NOTICE_MS = 4_000;

/** A code point takes at most two units, and spaces around the message don't count. */
const ROOM = CONTACT_LIMITS.message * 4;

const length = (text: string) => Array.from(text).length;

/** Trimmed, 1–5,000 code points. */
export const contactMessage = plainText(ROOM, 'The message')
  .transform((text) => text.trim())
  .refine((text) => text !== '', 'Message is required.')
  .refine((text) => length(text) <= CONTACT_LIMITS.message, 'The message can have at most 5,000 characters.');

/** `POST /api/contact`. */
export const contactBody = z.strictObject({
  message: contactMessage,
  /** Where to reply; required when signed out. */
  email: z
    .string('The email must be text.')
    .trim()
    .max(CONTACT_LIMITS.email, 'The email can have at most 254 characters.')
    .pipe(z.union([z.literal(''), z.email('This is not an email address.')]))
    .optional(),
  /** A field that people don't see. Anything that fills it in counts as automated. */
  website: z.string().max(2_000).optional(),
});
export const contactAnswer = z.object({ received: z.literal(true) });

export const contactCalls = calls('/api/contact', {
  send: create('', 'sendMessage', 'Writes to the operator.', {
    who: 'public',
    body: contactBody,
    answer: contactAnswer,
    headers: ONCE,
    fails: ['too_many_requests'],
  }),
});
