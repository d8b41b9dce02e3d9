import { createHash } from 'node:crypto';
import { SENTENCES } from '@atelier/contract/errors';
import { desc, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { waitWords } from '../../platform/language/in-seconds.ts';
import { printable } from '../../platform/printable.ts';
import { consumeFrom, type Rule, refuseHaste } from '../accounts/accounts.limits.service.ts';
import { DELIVER_QUEUE } from './contact.delivery.service.ts';
import { type ContactRow, contactMessages } from './contact.table.ts';

/** Enough for somebody who forgot something twice; too few to flood an inbox. */
const FROM_ONE_ADDRESS: Rule = { window: 10 * 60, max: 5 };

interface Received {
  message: string;
  email?: string | undefined;
  website?: string | undefined;
  /** Client address. */
  address: string;
  idempotencyKey: string;
}

/**
 * Stores a message and schedules its delivery in one transaction; a stored message is never lost. The same words of the same person under
 * the same key are stored once. Throws 400 without a reply address, 429 beyond the rate.
 */
export async function receiveMessage(ctx: Deps, caller: Caller | null, input: Received): Promise<void> {
  const email = input.email || caller?.email;
  if (email === undefined) throw new AppError('invalid_input', SENTENCES.contactEmail, { field: 'email' });
  refuseHaste(
    await consumeFrom(ctx, input.address, 'contact', FROM_ONE_ADDRESS),
    (seconds) => `You have sent several messages. Please wait ${waitWords(seconds)} before sending another.`,
  );
  const isMachine = (input.website ?? '') !== '';
  const userId = caller?.uid ?? null;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([input.idempotencyKey, userId, email, input.message]))
    .digest('base64url');
  const row = { id: uuidv7(), userId, email, message: input.message, fingerprint };
  await ctx.db.transaction(async (tx) => {
    const stored = await tx
      .insert(contactMessages)
      .values({ ...row, state: isMachine ? 'held' : 'waiting', nextAttemptAt: isMachine ? null : sql`now()` })
      .onConflictDoNothing()
      .returning({ id: contactMessages.id });
    if (stored.length > 0 && !isMachine) await ctx.jobs.send(tx, DELIVER_QUEUE, {});
  });
}

/** Fits in a reply of the running server (64 KB), with room to spare. */
const CHARS = 48_000;

const STATES: Record<ContactRow['state'], string> = {
  waiting: 'not sent yet',
  sending: 'being sent',
  sent: 'sent',
  refused: 'refused by the mail service',
  held: 'held back: looks like a machine',
};

/** The operator's inbox, newest first: every message with its delivery. */
export async function reportInbox(ctx: Pick<Deps, 'db'>): Promise<string> {
  const rows = await ctx.db.select().from(contactMessages).orderBy(desc(contactMessages.createdAt)).limit(500);
  if (rows.length === 0) return 'The inbox is empty.';
  const all = await ctx.db.$count(contactMessages);
  let text = '';
  let shown = 0;
  for (const row of rows) {
    const entry = describe(row);
    if (shown > 0 && text.length + entry.length > CHARS) break;
    text += `${entry}\n\n`;
    shown += 1;
  }
  const older = all - shown;
  return `${text.trimEnd()}${older > 0 ? `\n\n… ${older} older messages are left out` : ''}`;
}

function describe(row: ContactRow): string {
  const at = row.sentAt ?? row.attemptedAt;
  const tries = row.attempts > 1 ? `, ${row.attempts} attempts` : '';
  const service = row.service === null ? '' : ` by ${row.service}${at ? ` at ${at.toISOString()}` : ''}${tries}`;
  const answer = [row.status, row.note].filter((part) => part !== null && part !== '').join(' ');
  const lines = [
    `${row.createdAt.toISOString()}  ${row.email}${row.userId === null ? '' : ' (signed in)'}  ${row.id}`,
    `  ${STATES[row.state]}${service}${answer ? `: ${answer}` : ''}`,
    ...(row.answeredAt === null ? [] : [`  answered at ${row.answeredAt.toISOString()}`]),
    ...(row.perhapsTwice ? ['  may have been sent twice: an earlier attempt’s end is not known'] : []),
    ...printable(row.message)
      .split('\n')
      .map((line) => `    ${line}`),
  ];
  return lines.join('\n');
}

/** Deletes a message for good; false when there is none with this id. */
export async function deleteMessage(ctx: Pick<Deps, 'db'>, id: string): Promise<boolean> {
  const gone = await ctx.db
    .delete(contactMessages)
    .where(eq(sql`${contactMessages.id}::text`, id))
    .returning({ id: contactMessages.id });
  return gone.length > 0;
}
