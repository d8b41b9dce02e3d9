import { createHash } from 'node:crypto';
import { SENTENCES } from '@atelier/contract/errors';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { consumeFrom, type Rule } from '../accounts/limits/attempts.service.ts';
import { DELIVER_QUEUE } from './contact.jobs.ts';
import { contactMessages } from './contact.table.ts';

/** Enough for somebody who forgot something twice; too few to flood an inbox. */
const FROM_ONE_ADDRESS: Rule = { window: 10 * 60, max: 5 };

export interface Received {
  message: string;
  email?: string | undefined;
  website?: string | undefined;
  /** Client address. */
  address: string;
  idempotencyKey: string;
}

/** Refuses more messages from this address for now: 429 with the seconds to wait. */
async function consume(ctx: Deps, address: string): Promise<void> {
  const { retryAfter } = await consumeFrom(ctx, address, 'contact', FROM_ONE_ADDRESS);
  if (retryAfter === null) return;
  const wait = retryAfter > 60 ? `${Math.ceil(retryAfter / 60)} minutes` : 'a minute';
  throw new AppError(
    'too_many_requests',
    `You have sent several messages. Please wait ${wait} before sending another.`,
    {
      retryAfterSeconds: retryAfter,
    },
  );
}

/**
 * Stores a message and schedules its delivery in one transaction; a stored message is never lost. The same words of the same person under
 * the same key are stored once. Throws 400 without a reply address, 429 beyond the rate.
 */
export async function receiveMessage(ctx: Deps, caller: Caller | null, input: Received): Promise<void> {
  const email = input.email || caller?.email;
  if (email === undefined) throw new AppError('invalid_input', SENTENCES.contactEmail, { field: 'email' });
  await consume(ctx, input.address);
  const held = (input.website ?? '') !== '';
  const userId = caller?.uid ?? null;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([input.idempotencyKey, userId, email, input.message]))
    .digest('base64url');
  const row = { id: uuidv7(), userId, email, message: input.message, fingerprint };
  await ctx.db.transaction(async (tx) => {
    const stored = await tx
      .insert(contactMessages)
      .values({ ...row, state: held ? 'held' : 'waiting', nextAttemptAt: held ? null : sql`now()` })
      .onConflictDoNothing()
      .returning({ id: contactMessages.id });
    if (stored.length > 0 && !held) await ctx.jobs.send(tx, DELIVER_QUEUE, {});
  });
}
