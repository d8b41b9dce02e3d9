import type { Distrust } from '@atelier/contract/errors';
import { eq, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { isOperator } from '../../access.ts';
import type { Config } from '../../config.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import type { LocalTrust } from '../../platform/http/local-trust.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { accountMails } from './accounts.mail.table.ts';
import { lockUser } from './accounts.service.ts';
import { user } from './accounts.table.ts';
import { issueToken, type Purpose } from './accounts.tokens.service.ts';
import type { AccountMail } from './mail/account-mail.ts';
import { composeMail } from './mail/compose-mail.ts';

export const ACCOUNT_MAIL_QUEUE = 'accounts.mail';
/** Mails are tried for some hours. */
export const ACCOUNT_MAIL_RETRIES = 12;

/** What decides whether people are mailed. */
interface MailContext {
  mail: Pick<Mail, 'kind'>;
  config: Pick<Config, 'PUBLIC_URL'>;
  trust: Pick<LocalTrust, 'refusal'>;
}

/**
 * Why people can't be mailed; null where they can. EmailJS sends to the operator only, and a link needs an address that isn't taken from a
 * request: anybody could send one with their own host, and get the token.
 */
export function mailRefusal({ mail, config, trust }: MailContext): Distrust | null {
  if (mail.kind !== 'smtp') return 'settings';
  return config.PUBLIC_URL === undefined ? trust.refusal() : null;
}

export const canMailPeople = (ctx: MailContext) => mailRefusal(ctx) === null;

/** The address of a page, as people reach it. */
export const pageAddress = ({ PUBLIC_URL, PORT }: Pick<Config, 'PUBLIC_URL' | 'PORT'>, path: string) =>
  new URL(path, PUBLIC_URL ?? `http://localhost:${PORT}`).href;

/** The page that uses a token. The token stands behind #, so that it reaches neither logs nor other servers. */
export const tokenAddress = (config: Pick<Config, 'PUBLIC_URL' | 'PORT'>, purpose: Purpose, token: string) =>
  pageAddress(
    config,
    `${purpose === 'reset' || purpose === 'operator_reset' ? '/login/reset' : '/login/confirm'}#${token}`,
  );

/** What a mail to a person needs. */
export interface MailDeps extends MailContext {
  jobs: Pick<Jobs, 'send'>;
}

interface NewMail {
  /** Null when it isn't known whether there is an account. */
  userId: string | null;
  recipient: string;
  content: AccountMail;
}

/** Stores a mail and schedules it with the transaction; where no mail is configured nothing happens. */
export async function queueMail(ctx: MailDeps, tx: Tx, mail: NewMail): Promise<void> {
  if (!canMailPeople(ctx)) return;
  const id = uuidv7();
  await tx.insert(accountMails).values({ id, ...mail });
  await ctx.jobs.send(tx, ACCOUNT_MAIL_QUEUE, { mailId: id, ...(mail.userId === null ? {} : { userId: mail.userId }) });
}

/** Tells somebody by mail what happened to their account, as part of the transaction in which it happens. */
export async function queueNotice(ctx: MailDeps, tx: Tx, userId: string, content: AccountMail): Promise<void> {
  if (!canMailPeople(ctx)) return;
  const [row] = await tx.select({ email: user.email }).from(user).where(eq(user.id, userId));
  if (row !== undefined) await queueMail(ctx, tx, { userId, recipient: row.email, content });
}

/** Sends one stored mail and deletes it. Throws when the mail server doesn't take it now; then the job tries again. */
export async function deliverMail(ctx: Deps, mailId: string): Promise<void> {
  // Some could never be sent; their jobs have given up by then.
  await ctx.db.delete(accountMails).where(lt(accountMails.createdAt, sql`now() - interval '2 days'`));
  const [row] = await ctx.db.select().from(accountMails).where(eq(accountMails.id, mailId));
  if (row === undefined) return;
  const person = await findPerson(ctx, row);
  const link = person === undefined ? null : await makeLink(ctx, person.id, row);
  if (link !== null) {
    const { config } = ctx;
    const { host } = new URL(pageAddress(config, '/'));
    const outcome = await ctx.mail.send({
      messageId: `${row.id}@${host.replace(/:\d+$/u, '')}`,
      to: row.recipient,
      replyTo: null,
      ...composeMail(row.content, {
        email: row.recipient,
        makesOperator: isOperator(ctx, { email: row.recipient, emailVerified: true, isFirst: false }),
        isNeeded: person?.waitingFor === 'confirmation',
        link,
        pages: {
          forgot: config.PASSWORDS_OFF ? null : pageAddress(config, '/login/forgot'),
          account: pageAddress(config, '/account'),
          contact: pageAddress(config, '/contact'),
        },
      }),
    });
    const { result, status, code } = outcome;
    // A mailbox that refuses goes on refusing; a wrong password of ours is put right by the operator.
    const isFinal = result === 'sent' || (result === 'refused' && status !== null && status >= 550);
    if (!isFinal)
      throw Object.assign(new Error('the mail server did not take a mail'), { server: ctx.mail.label, status, code });
    if (result === 'refused') ctx.log.info('accounts.mail_refused', { id: row.id, kind: row.content.kind, status });
  }
  await ctx.db.delete(accountMails).where(eq(accountMails.id, mailId));
}

type MailRow = typeof accountMails.$inferSelect;

/** To whom a mail goes; undefined when it must not be sent. */
async function findPerson(ctx: Deps, { userId, recipient, content }: MailRow) {
  const email = recipient.toLowerCase();
  const [byEmail] = await ctx.db
    .select({ id: user.id, waitingFor: user.waitingFor, emailVerified: user.emailVerified })
    .from(user)
    .where(eq(user.email, email));
  if (content.kind === 'reset') return byEmail;
  // Who writes to the operator needs no account.
  if (content.kind === 'reply') return { id: userId ?? '', waitingFor: null };
  if (userId === null) return undefined;
  // The new address got an account meanwhile, or had one: nobody is told which.
  if (content.kind === 'change_email' && byEmail !== undefined) return undefined;
  if (content.kind === 'verify' && (byEmail?.id !== userId || byEmail.emailVerified)) return undefined;
  const [person] = await ctx.db
    .select({ id: user.id, waitingFor: user.waitingFor })
    .from(user)
    .where(eq(user.id, userId));
  return person;
}

const PURPOSES = new Set<string>(['reset', 'verify', 'change_email'] satisfies Purpose[]);
const isPurpose = (kind: string): kind is Purpose => PURPOSES.has(kind);

/** Made at each attempt, so that a delayed mail has its whole time. Null where the mail was revoked, also at this moment. */
async function makeLink(ctx: Deps, userId: string, { id, content: { kind }, recipient }: MailRow) {
  if (!isPurpose(kind)) return '';
  return ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if ((await tx.$count(accountMails, eq(accountMails.id, id))) === 0) return null;
    const token = await issueToken(tx, { userId, purpose: kind, email: recipient.toLowerCase() });
    return tokenAddress(ctx.config, kind, token);
  });
}
