import { desc, eq, sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { type ContactRow, contactMessages } from './contact.table.ts';

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
  const left = all - shown;
  return `${text.trimEnd()}${left > 0 ? `\n\n… ${left} older messages are left out` : ''}`;
}

function describe(row: ContactRow): string {
  const at = row.sentAt ?? row.attemptedAt;
  const tries = row.attempts > 1 ? `, ${row.attempts} attempts` : '';
  const service = row.service === null ? '' : ` by ${row.service}${at ? ` at ${at.toISOString()}` : ''}${tries}`;
  const answer = [row.status, row.note].filter((part) => part !== null && part !== '').join(' ');
  const lines = [
    `${row.createdAt.toISOString()}  ${row.email}${row.userId === null ? '' : ' (signed in)'}  ${row.id}`,
    `  ${STATES[row.state]}${service}${answer ? `: ${answer}` : ''}`,
    ...(row.perhapsTwice ? ['  may have been sent twice: an earlier attempt’s end is not known'] : []),
    ...printable(row.message)
      .split('\n')
      .map((line) => `    ${line}`),
  ];
  return lines.join('\n');
}

/** Other people's words on the operator's terminal: without control characters, which could rewrite it. */
const printable = (text: string) =>
  text.replaceAll(/\r\n?/gu, '\n').replaceAll(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '�');

/** Deletes a message for good; false when there is none with this id. */
export async function deleteMessage(ctx: Pick<Deps, 'db'>, id: string): Promise<boolean> {
  const gone = await ctx.db
    .delete(contactMessages)
    .where(eq(sql`${contactMessages.id}::text`, id))
    .returning({ id: contactMessages.id });
  return gone.length > 0;
}
