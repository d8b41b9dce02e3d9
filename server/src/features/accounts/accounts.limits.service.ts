import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { rateLimit } from './accounts.identity.table.ts';
import { type Consumed, type Ctx, consumeAttempt, consumeFrom, type Rule } from './limits/attempts.service.ts';
import { FIFTEEN_MINUTES } from './limits/delays.service.ts';

/** A signed-in person's password. */
const CONFIRMATION: Rule = { window: FIFTEEN_MINUTES, max: 10 };
/** The last link that was sent works for longer than nothing is sent, so a stranger who asks too often locks nobody out. */
const RESET_MAILS: Rule = { window: 20 * 60, max: 3 };
/** Mails that a signed-in person asks for, perhaps to somebody else's address. */
const ASKED_MAILS: Rule = { window: FIFTEEN_MINUTES, max: 5 };

/**
 * Replaces an email or an account's id where only equality matters: people mistype passwords into the first, and nothing of a deleted
 * account may stay.
 */
export const accountKey = (name: string) => createHash('sha256').update(name.toLowerCase()).digest('base64url');

/** Counts a call that needs no sign-in, before anything of it is read; at most `max` a minute from one address. */
export const consumeAddress = (ctx: Ctx, path: string, address: string, max: number): Promise<Consumed> =>
  consumeFrom(ctx, address, path, { window: 60, max });

/** An app shows a code for 30 s, and it is taken 30 s earlier or later too. */
const CODE: Rule = { window: 120, max: 1 };

/** Uses up a code of a second factor: of several uses, also at once, one is allowed. */
export const consumeCode = (ctx: Ctx, uid: string, code: string): Promise<Consumed> =>
  consumeAttempt(ctx, `code|${accountKey(`${uid} ${code}`)}`, CODE);

const confirmKey = (uid: string) => `confirm|${accountKey(uid)}`;

/** Counts a signed-in user's password confirmation; nobody else can use up these tries. */
export const consumeConfirmation = (ctx: Ctx, uid: string): Promise<Consumed> =>
  consumeAttempt(ctx, confirmKey(uid), CONFIRMATION);

/** Forgets a signed-in user's wrong confirmations after the right one. */
export async function forgiveConfirmation(ctx: Ctx, uid: string): Promise<void> {
  await ctx.db.delete(rateLimit).where(eq(rateLimit.key, confirmKey(uid)));
}

/** Counts a request to reset the password of an email, whether or not it has an account. */
export const consumeReset = (ctx: Ctx, email: string): Promise<Consumed> =>
  consumeAttempt(ctx, `reset|${accountKey(email)}`, RESET_MAILS);

/** Counts a mail that a signed-in person asks for. */
export const consumeMails = (ctx: Ctx, uid: string): Promise<Consumed> =>
  consumeAttempt(ctx, `mails|${accountKey(uid)}`, ASKED_MAILS);
