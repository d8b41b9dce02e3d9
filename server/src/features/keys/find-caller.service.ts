import { KEY_PREFIX } from '@atelier/contract/keys';
import { and, eq, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { authenticate, wasDisabled } from '../accounts/authenticate.service.ts';
import { isDisabledKey, isUseOld, keyCallerStatement } from './keys.queries.ts';
import { hashOf } from './keys.service.ts';
import { apiKeys } from './keys.table.ts';

const NOTE_USE_AFTER_MS = 500;

type Auth = Parameters<typeof authenticate>[1];
type Context = Pick<Deps, 'db' | 'log' | 'config'>;

/** Our key in a request. Another bearer token is not ours: a proxy in front may use one. */
function keyOf(headers: Headers): string | null {
  const [scheme, secret] = (headers.get('authorization') ?? '').split(' ', 2);
  return scheme?.toLowerCase() === 'bearer' && secret?.startsWith(KEY_PREFIX) ? secret : null;
}

/**
 * Who makes a request, by its key or else by its cookie; null for nobody. Key or sign-in, account and plan are read on every call, so what
 * is revoked, disabled or no longer Pro ends at once.
 */
export async function findCaller(ctx: Context, auth: Auth, headers: Headers): Promise<Caller | null> {
  const secret = keyOf(headers);
  if (secret === null) return authenticate(ctx, auth, headers);
  const [found] = await keyCallerStatement(ctx.db).execute({ hash: hashOf(secret) });
  if (found === undefined) return null;
  const { isOld, ...caller } = found;
  // Later: this write would otherwise delay the answer's first word.
  if (isOld) setTimeout(() => void noteUse(ctx, caller), NOTE_USE_AFTER_MS).unref();
  return caller;
}

/** Whether nobody was found because the account is disabled. */
export function isDisabled(ctx: Context, auth: Auth, headers: Headers): Promise<boolean> {
  const secret = keyOf(headers);
  return secret === null ? wasDisabled(ctx, auth, headers) : isDisabledKey(ctx.db, hashOf(secret));
}

/** A full disk must not keep a key from reading. */
async function noteUse(ctx: Context, { uid, key }: { uid: string; key: { id: string } }): Promise<void> {
  await ctx.db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(apiKeys.userId, uid), eq(apiKeys.id, key.id), isUseOld))
    .catch((error: unknown) => ctx.log.error('keys.use', error, { key: key.id }));
}
