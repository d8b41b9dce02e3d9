import { PRODUCT_NAME } from '@atelier/contract/product';
import { and, asc, eq, inArray, lte, ne, sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import type { MailOutcome } from '../../platform/mail/mail.ts';
import { retryUntil } from '../../platform/retry.ts';
import { type ContactRow, contactMessages } from './contact.table.ts';

type Ctx = Pick<Deps, 'db' | 'mail' | 'config' | 'log'>;

/** An attempt that takes longer is dead; the mail client gives up at half of this. */
const ATTEMPT_SECONDS = 120;
/** Shorter than the rest of an attempt, so nobody else sends the message meanwhile. */
const RECORD_MS = 50_000;
const FIRST_PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 3_600;

/** 1, 2, 4 … minutes, an hour at most; longer if the service asks, a day at most. */
export function pauseSeconds(attempts: number, retryAfter = 0): number {
  const pause = Math.min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2 ** Math.min(attempts - 1, 10));
  return Math.max(pause, Math.min(retryAfter, 86_400));
}

/** Sends every due message, one after another; stops at the first that the service doesn't take now. */
export async function deliverDue(ctx: Ctx): Promise<void> {
  if (ctx.mail.kind === 'off') return;
  for (;;) {
    const row = await claim(ctx);
    if (row === undefined) return;
    const outcome = await ctx.mail.send({
      messageId: `${row.id}@${hostOf(ctx)}`,
      subject: `${PRODUCT_NAME}: message from ${row.email}`,
      text: row.message,
      replyTo: row.email,
    });
    // Wait for a database that is away: a message sent but not recorded would be sent again.
    await retryUntil(
      AbortSignal.timeout(RECORD_MS),
      () => record(ctx, row, outcome),
      (error) => ctx.log.error('contact.record', error, { id: row.id }),
    );
    // The service's answer may quote the message, so it goes to the operator's inbox, not the log.
    const { result, status, code } = outcome;
    if (result !== 'sent')
      ctx.log.info('contact.not_sent', { id: row.id, server: ctx.mail.label, result, status, code });
    if (result === 'later' || result === 'unsure') return;
  }
}

const hostOf = ({ config }: Ctx) =>
  config.PUBLIC_URL === undefined ? 'atelier.localhost' : new URL(config.PUBLIC_URL).hostname;

/** Takes one message and records the attempt before anything is sent. */
async function claim(ctx: Ctx): Promise<ContactRow | undefined> {
  const { kind } = ctx.mail;
  if (kind === 'off') return undefined;
  return ctx.db.transaction(async (tx) => {
    const [due] = await tx
      .select()
      .from(contactMessages)
      // The column rounds to milliseconds, sometimes upwards.
      .where(lte(contactMessages.nextAttemptAt, sql`now() + interval '1 millisecond'`))
      .orderBy(asc(contactMessages.nextAttemptAt))
      .limit(1)
      .for('update', { skipLocked: true });
    if (due === undefined) return undefined;
    const [claimed] = await tx
      .update(contactMessages)
      .set({
        state: 'sending',
        service: kind,
        attempts: due.attempts + 1,
        // Still "sending": the process that sent it is gone, and with it the result.
        perhapsTwice: due.perhapsTwice || due.unsure || due.state === 'sending',
        unsure: false,
        attemptedAt: sql`now()`,
        nextAttemptAt: sql`now() + make_interval(secs => ${ATTEMPT_SECONDS})`,
      })
      .where(eq(contactMessages.id, due.id))
      .returning();
    return claimed;
  });
}

async function record(ctx: Ctx, row: ContactRow, outcome: MailOutcome): Promise<void> {
  const reply = { status: outcome.status, note: outcome.note, unsure: outcome.result === 'unsure' };
  const pause = pauseSeconds(row.attempts, outcome.retryAfterSeconds);
  const change = {
    sent: { state: 'sent', sentAt: sql`now()`, nextAttemptAt: null },
    refused: { state: 'refused', nextAttemptAt: null },
    later: { state: 'waiting', nextAttemptAt: sql`now() + make_interval(secs => ${pause})` },
    unsure: { state: 'waiting', nextAttemptAt: sql`now() + make_interval(secs => ${pause})` },
  } as const;
  await ctx.db
    .update(contactMessages)
    .set({ ...change[outcome.result], ...reply })
    // If this attempt was taken for dead, another one records the result.
    .where(and(eq(contactMessages.id, row.id), eq(contactMessages.attempts, row.attempts)));
}

/**
 * After a start all unsent messages are due, refused ones too, because the operator may have fixed the cause. What another process is
 * sending stays with it; the embedded database has no other process.
 */
export async function makeUnsentDue(ctx: Pick<Deps, 'database'> & { db: Deps['db'] }): Promise<void> {
  const unsent = inArray(contactMessages.state, ['waiting', 'refused', 'sending']);
  const alone = ctx.database.kind === 'pglite';
  await ctx.db
    .update(contactMessages)
    .set({ nextAttemptAt: sql`now()` })
    .where(and(unsent, alone ? undefined : ne(contactMessages.state, 'sending')));
}

export const DELIVER_QUEUE = 'contact.deliver';
const DELIVER_SWEEP_QUEUE = 'contact.sweep';

/** Registers the delivery jobs: one at once, and where there is mail, one each minute for everything due; call once, before the jobs start. */
export function registerContactJobs(deps: Deps): void {
  deps.jobs.handle(DELIVER_QUEUE, () => deliverDue(deps));
  deps.jobs.handle(DELIVER_SWEEP_QUEUE, () => deliverDue(deps), deps.mail.kind === 'off' ? {} : { cron: '* * * * *' });
}

/** Tries all unsent messages again, as after a start. */
export async function deliverSoon(deps: Deps): Promise<void> {
  await makeUnsentDue(deps);
  await deps.db.transaction((tx) => deps.jobs.send(tx, DELIVER_QUEUE, {}));
}
