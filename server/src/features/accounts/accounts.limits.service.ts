import { createHash } from 'node:crypto';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { networkOf, prefixOf, siteOf } from '../../platform/client-address.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { rateLimit } from './accounts.identity.table.ts';

export type Ctx = { db: Db };
/** At most `max` within a window, in seconds. */
export interface Rule {
  window: number;
  max: number;
}
export interface AttemptResult {
  allowed: boolean;
  /** Seconds until the window ends; null when allowed. */
  retryAfter: number | null;
}

/** Throws 429, with a sentence, where somebody has to wait. */
export function refuseHaste({ retryAfter }: AttemptResult, sentence: string | ((seconds: number) => string)): void {
  if (retryAfter === null) return;
  const message = typeof sentence === 'string' ? sentence : sentence(retryAfter);
  throw new AppError('too_many_requests', message, { retryAfterSeconds: retryAfter });
}

const FORGET_AFTER_MS = 60 * 60 * 1000;

/** The database’s clock, in milliseconds. */
const nowMs = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Deletes counts that no rule asks about any more. */
const forgetOld = (ctx: Ctx) =>
  ctx.db.delete(rateLimit).where(lt(rateLimit.lastRequest, sql`${nowMs} - ${FORGET_AFTER_MS}`));

/** Counts one attempt and returns whether it is within the rule: one statement, so parallel attempts can't slip through. */
export async function consumeAttempt(ctx: Ctx, key: string, { window, max }: Rule): Promise<AttemptResult> {
  const windowMs = window * 1000;
  const over = sql`${rateLimit.lastRequest} + ${windowMs} <= ${nowMs}`;
  const [row] = await ctx.db
    .insert(rateLimit)
    .values({ id: uuidv7(), key, count: 1, lastRequest: nowMs })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: {
        count: sql`case when ${over} then 1 else least(${rateLimit.count} + 1, ${max + 1}) end`,
        lastRequest: sql`case when ${over} then ${nowMs} else ${rateLimit.lastRequest} end`,
      },
    })
    .returning({ count: rateLimit.count, remaining: sql<string>`${rateLimit.lastRequest} + ${windowMs} - ${nowMs}` });
  if (row === undefined) throw new Error('the rate limit row was not returned');
  if (row.count === 1) await forgetOld(ctx);
  if (row.count <= max) return { allowed: true, retryAfter: null };
  return { allowed: false, retryAfter: Math.max(1, Math.ceil(Number(row.remaining) / 1000)) };
}

/** How many times the tries of one network all networks of its customer have: the offices of a firm, not 65,536 addresses to write from. */
const NEARBY = 3;

/** Counts one attempt by a stranger at an address, whose network and whose customer's networks are each within the rule. */
export async function consumeFrom(ctx: Ctx, address: string, what: string, rule: Rule): Promise<AttemptResult> {
  const [network, site] = [networkOf(address), siteOf(address)];
  const here = await consumeAttempt(ctx, `${network}|${what}`, rule);
  if (!here.allowed || site === network) return here;
  return consumeAttempt(ctx, `${site}|${what}`, { ...rule, max: rule.max * NEARBY });
}

const FIFTEEN_MINUTES = 15 * 60;

/** The first `free` attempts may come at once; then each waits for twice as long as the one before. */
export interface Delay {
  free: number;
  firstSeconds: number;
}
/** The longest wait. Shorter than what is remembered, so that it lasts; and four tries an hour guess nothing. */
const LONGEST_SECONDS = FIFTEEN_MINUTES;

/**
 * Counts one attempt if its time has come: one statement, so parallel attempts can't slip through. An attempt that comes too early is not
 * counted, so that knocking doesn't make the wait longer.
 */
export async function consumeDelayed(ctx: Ctx, key: string, { free, firstSeconds }: Delay): Promise<AttemptResult> {
  const doubled = sql`${firstSeconds} * power(2, least(${rateLimit.count} - ${free}, 12))`;
  const waitMs = sql`case when ${rateLimit.count} < ${free} then 0 else 1000 * least(${LONGEST_SECONDS}, ${doubled}) end`;
  const [row] = await ctx.db
    .insert(rateLimit)
    .values({ id: uuidv7(), key, count: 1, lastRequest: nowMs })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: { count: sql`${rateLimit.count} + 1`, lastRequest: nowMs },
      setWhere: sql`${rateLimit.lastRequest} + ${waitMs} <= ${nowMs}`,
    })
    .returning({ count: rateLimit.count });
  if (row?.count === 1) await forgetOld(ctx);
  if (row !== undefined) return { allowed: true, retryAfter: null };
  const [waiting] = await ctx.db
    .select({ ms: sql<string>`${rateLimit.lastRequest} + ${waitMs} - ${nowMs}` })
    .from(rateLimit)
    .where(eq(rateLimit.key, key));
  return { allowed: false, retryAfter: Math.max(1, Math.ceil(Number(waiting?.ms ?? 0) / 1000)) };
}

/** A signed-in person's password. */
const CONFIRMATION: Rule = { window: FIFTEEN_MINUTES, max: 10 };
/** The last link that was sent works for longer than nothing is sent, so a stranger who asks too often locks nobody out. */
const RESET_MAILS: Rule = { window: 20 * 60, max: 3 };
/** Mails that a signed-in person asks for, perhaps to somebody else's address. */
const ASKED_MAILS: Rule = { window: FIFTEEN_MINUTES, max: 5 };

/** Replaces an email, which may be a mistyped password, or a deleted account's id, where only equality matters. */
export const accountKey = (name: string) => createHash('sha256').update(name.toLowerCase()).digest('base64url');

/** Counts a call that needs no sign-in, before anything of it is read; at most `max` a minute from one address. */
export const consumeAddress = (ctx: Ctx, path: string, address: string, max: number): Promise<AttemptResult> =>
  consumeFrom(ctx, address, path, { window: 60, max });

/** Counts a favorite of an agent, for the neighbourhood of an address; at most `max` an hour. */
export const consumeFavorite = (ctx: Ctx, agentId: string, address: string, max: number): Promise<AttemptResult> =>
  consumeAttempt(ctx, `${prefixOf(address)}|favorite|${agentId}`, { window: 60 * 60, max });

/** An app shows a code for 30 s, and it is taken 30 s earlier or later too. */
const CODE: Rule = { window: 120, max: 1 };

const codeKey = (uid: string, code: string) => `code|${accountKey(`${uid} ${code}`)}`;

/** Uses up a code of a second factor: of several uses, also at once, one is allowed. */
export const consumeCode = (ctx: Ctx, uid: string, code: string): Promise<AttemptResult> =>
  consumeAttempt(ctx, codeKey(uid, code), CODE);

/** Whether `consumeCode` has used a code up. */
export async function isCodeUsed(ctx: Ctx, uid: string, code: string): Promise<boolean> {
  const isRecent = gt(rateLimit.lastRequest, sql`${nowMs} - ${CODE.window * 1000}`);
  return (await ctx.db.$count(rateLimit, and(eq(rateLimit.key, codeKey(uid, code)), isRecent))) > 0;
}

const confirmKey = (uid: string) => `confirm|${accountKey(uid)}`;

/** Counts a signed-in user's password confirmation; nobody else can use up these tries. */
export const consumeConfirmation = (ctx: Ctx, uid: string): Promise<AttemptResult> =>
  consumeAttempt(ctx, confirmKey(uid), CONFIRMATION);

/** Forgets a signed-in user's wrong confirmations after the right one. */
export async function forgiveConfirmation(ctx: Ctx, uid: string): Promise<void> {
  await ctx.db.delete(rateLimit).where(eq(rateLimit.key, confirmKey(uid)));
}

/** Counts a request to reset the password of an email, whether or not it has an account. */
export const consumeReset = (ctx: Ctx, email: string): Promise<AttemptResult> =>
  consumeAttempt(ctx, `reset|${accountKey(email)}`, RESET_MAILS);

/** Counts a mail that a signed-in person asks for. */
export const consumeMails = (ctx: Ctx, uid: string): Promise<AttemptResult> =>
  consumeAttempt(ctx, `mails|${accountKey(uid)}`, ASKED_MAILS);
