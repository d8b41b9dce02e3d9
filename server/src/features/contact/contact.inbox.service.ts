import type { InboxMessage, InboxQuery } from '@atelier/contract/operator/inbox';
import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import { behind } from '../../platform/database/keyset.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeCursor, page } from '../../platform/http/cursor.ts';
import { canMailPeople, queueMail } from '../accounts/accounts.mail.service.ts';
import { contactMessages, inboxBox } from './contact.table.ts';

/** Messages of a box of the operator's inbox, the newest first. */
export async function listInbox(
  ctx: Pick<Deps, 'db' | 'mail' | 'config' | 'trust'>,
  { box, cursor, limit }: InboxQuery,
): Promise<{ messages: InboxMessage[]; nextCursor: string | null; mail: boolean }> {
  const { createdAt, id } = contactMessages;
  const matches = await ctx.db
    .select({ ...getTableColumns(contactMessages), box: inboxBox })
    .from(contactMessages)
    .where(and(eq(inboxBox, box), behind(createdAt, id, decodeCursor(cursor))))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit + 1);
  const { rows, nextCursor } = page(matches, limit, (row) => ({ at: row.createdAt, id: row.id }));
  const messages = rows.map((row) => ({
    id: row.id,
    at: row.createdAt.toISOString(),
    email: row.email,
    accountId: row.userId,
    message: row.message,
    box: row.box,
    delivery: row.state,
    answeredAt: row.answeredAt?.toISOString() ?? null,
    answer: row.answer,
  }));
  return { messages, nextCursor, mail: canMailPeople(ctx) };
}

const NO_MAIL = 'This server mails nobody. Write from your own mailbox, then mark the message as answered.';

/**
 * Marks a message answered, with a reply, which is mailed, or without. `also` belongs into the same transaction. Throws 404, and 409 where it
 * is answered already or no mail can be sent.
 */
export async function answerMessage(
  ctx: Pick<Deps, 'db' | 'mail' | 'config' | 'trust' | 'jobs'>,
  { id, reply }: { id: string; reply: string | null },
  also: (tx: Tx) => Promise<void>,
): Promise<void> {
  if (reply !== null && !canMailPeople(ctx)) throw new AppError('conflict', NO_MAIL);
  await ctx.db.transaction(async (tx) => {
    const own = eq(contactMessages.id, id);
    const [answered] = isUuid(id)
      ? await tx
          .update(contactMessages)
          .set({ answeredAt: sql`now()`, answer: reply })
          .where(and(own, isNull(contactMessages.answeredAt)))
          .returning()
      : [];
    if (answered === undefined) {
      if (isUuid(id) && (await tx.$count(contactMessages, own)) > 0)
        throw new AppError('conflict', 'This message is answered already.');
      throw notFound('This message');
    }
    const { userId, email, message, createdAt } = answered;
    const content = { kind: 'reply', text: reply ?? '', message, at: createdAt.toISOString() } as const;
    if (reply !== null) await queueMail(ctx, tx, { userId, recipient: email, content });
    await also(tx);
  });
}
