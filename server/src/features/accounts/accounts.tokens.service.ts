import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/database/database.ts';
import { accountMails, accountTokens } from './accounts.mail.table.ts';
import { lockUser } from './accounts.service.ts';
import { user } from './accounts.table.ts';

export type TokenRow = typeof accountTokens.$inferSelect;
export type Purpose = TokenRow['purpose'];

/** How long a link works, or a proof, in minutes. */
const MINUTES: Record<Purpose, number> = { reset: 30, operator_reset: 30, verify: 24 * 60, change_email: 60, owner: 5 };

const inMinutes = (purpose: Purpose) => sql`now() + make_interval(mins => ${MINUTES[purpose]})`;

/** 256 random bits need no salt: nobody can guess what the hash came from. */
const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

const valid = (token: string, purposes: Purpose[]) =>
  and(
    eq(accountTokens.hash, hashOf(token)),
    inArray(accountTokens.purpose, purposes),
    gt(accountTokens.expiresAt, sql`now()`),
  );

/** Issues a link's token; only its hash is stored. Earlier ones stay valid until one is used, because mails overtake each other. */
export async function issueToken(db: Db, to: { userId: string; purpose: Purpose; email: string }): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.delete(accountTokens).where(lte(accountTokens.expiresAt, sql`now()`));
  await db.insert(accountTokens).values({
    ...to,
    hash: hashOf(token),
    expiresAt: inMinutes(to.purpose),
  });
  return token;
}

/** Whether the token can still be used, without using it. */
export async function isValidToken(db: Db, token: string, purposes: Purpose[]): Promise<boolean> {
  return (await db.$count(accountTokens, valid(token, purposes))) > 0;
}

/**
 * Uses a token up and returns what it was issued for; null for any other text. Of two at once, one gets it. Locks the account first, as everything
 * does that then revokes its other tokens: two that hold one each would wait for each other.
 */
export async function consumeToken(tx: Tx, token: string, purposes: Purpose[]): Promise<TokenRow | null> {
  const [stored] = await tx.select().from(accountTokens).where(valid(token, purposes));
  if (stored === undefined) return null;
  await lockUser(tx, stored.userId);
  const [row] = await tx.delete(accountTokens).where(valid(token, purposes)).returning();
  return row ?? null;
}

/** Ends an account's other links, proofs and unsent links to another address, after its password or email has changed. */
export async function revokeTokens(tx: Tx, userId: string): Promise<void> {
  const toAnother = sql`${accountMails.content}->>'kind' = 'change_email'`;
  await tx.delete(accountMails).where(and(eq(accountMails.userId, userId), toAnother));
  await tx.delete(accountTokens).where(eq(accountTokens.userId, userId));
}

const proofOf = (authSessionId: string) => `owner|${authSessionId}`;

/** Notes that a sign-in has just proved to be the owner's. The proof ends with the sign-in, and after five minutes. */
export async function recordProof(
  db: Db,
  { uid, authSessionId }: { uid: string; authSessionId: string },
): Promise<void> {
  await db.delete(accountTokens).where(and(eq(accountTokens.userId, uid), lte(accountTokens.expiresAt, sql`now()`)));
  const expiresAt = inMinutes('owner');
  const email = sql<string>`(select ${user.email} from ${user} where ${user.id} = ${uid})`;
  const hash = hashOf(proofOf(authSessionId));
  await db
    .insert(accountTokens)
    .values({ hash, userId: uid, purpose: 'owner', email, expiresAt })
    .onConflictDoUpdate({ target: accountTokens.hash, set: { expiresAt } });
}

/** Whether a sign-in has proved to be the owner's within the last minutes. */
export const hasProof = (db: Db, authSessionId: string): Promise<boolean> =>
  isValidToken(db, proofOf(authSessionId), ['owner']);
