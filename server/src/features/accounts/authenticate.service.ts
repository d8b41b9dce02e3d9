import { createHash } from 'node:crypto';
import { and, eq, gt, inArray, not, sql } from 'drizzle-orm';
import { parse } from 'hono/utils/cookie';
import type { Caller } from '../../access.ts';
import { prepareOnce } from '../../platform/database/prepared.ts';
import type { Deps } from '../../platform/deps.ts';
import { secretsOf } from '../../platform/secrets.ts';
import type { Auth } from './accounts.auth.ts';
import { authSession } from './accounts.identity.table.ts';
import { mayEnter } from './accounts.service.ts';
import { profiles, user } from './accounts.table.ts';
import { readSigned } from './auth/signed-cookies.ts';

type Ctx = Pick<Deps, 'db' | 'config'>;

/** The user of a request's cookie, or null. Reads session and account on every call, in one statement. */
export async function authenticate(ctx: Ctx, auth: Auth, headers: Headers): Promise<Caller | null> {
  const token = await readToken(ctx, auth, headers);
  if (token === null) return null;
  const [caller] = await callerStatement(ctx.db).execute({ token });
  return caller ?? null;
}

const callerStatement = prepareOnce((db) =>
  db
    .select({
      uid: user.id,
      displayName: user.name,
      email: user.email,
      plan: profiles.subscriptionStatus,
      authSessionId: authSession.id,
    })
    .from(authSession)
    .innerJoin(user, eq(user.id, authSession.userId))
    .innerJoin(profiles, eq(profiles.userId, user.id))
    .where(and(eq(authSession.token, sql.placeholder('token')), gt(authSession.expiresAt, sql`now()`), mayEnter))
    .prepare('caller'),
);

async function readToken({ config }: Ctx, auth: Auth, headers: Headers): Promise<string | null> {
  const cookie = headers.get('cookie');
  if (cookie === null) return null;
  const { name } = (await auth.$context).authCookies.sessionToken;
  return readSigned(secretsOf(config), parse(cookie, name)[name] ?? '')?.text ?? null;
}

/** A token that no cookie can contain, but which still records that its session ended with the account. */
const disabledToken = (token: string) => `disabled:${createHash('sha256').update(token).digest('hex')}`;

/** Whether this request's sign-in ended because the account was disabled. */
export async function wasDisabled(ctx: Ctx, auth: Auth, headers: Headers): Promise<boolean> {
  const token = await readToken(ctx, auth, headers);
  if (token === null) return false;
  const rows = await ctx.db
    .select({ id: authSession.id })
    .from(authSession)
    .innerJoin(user, eq(user.id, authSession.userId))
    .where(and(inArray(authSession.token, [token, disabledToken(token)]), not(mayEnter)));
  return rows.length > 0;
}
