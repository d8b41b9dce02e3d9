import { createHash, randomBytes } from 'node:crypto';
import { type ApiKey, KEY_LIMITS, KEY_PREFIX, type KeyCreate, keyScope, type NewApiKey } from '@atelier/contract/keys';
import { and, desc, eq, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { lockUsage } from '../accounts/accounts.counts.service.ts';
import { queueNotice } from '../accounts/accounts.mail.service.ts';
import { requireLiveSignIn } from '../accounts/accounts.service.ts';
import { noteActivity } from '../accounts/activity/activity.service.ts';
import { authenticate, wasDisabled } from '../accounts/authenticate.service.ts';
import { getAgent } from '../agents/agents.service.ts';
import { agentAddresses, isDisabledKey, isUseOld, keyCallerStatement } from './keys.queries.ts';
import { type ApiKeyRow, apiKeys } from './keys.table.ts';

const SECRET_BYTES = 32;
const HINT = 4;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

const toKey = (row: ApiKeyRow, addresses: Map<string, string>): ApiKey => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  agentIds: row.agentIds === null ? null : row.agentIds.flatMap((id) => addresses.get(id) ?? []),
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

/** The caller's keys, newest first. */
export async function listKeys(ctx: Deps, caller: Caller): Promise<ApiKey[]> {
  const rows = await ctx.db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.userId, caller.uid))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
  const addresses = await agentAddresses(ctx.db, caller.uid, [...new Set(rows.flatMap((row) => row.agentIds ?? []))]);
  return rows.map((row) => toKey(row, addresses));
}

/** Creates a key and returns its secret, which is not stored; 404 for an agent that isn't the caller's, 409 when there are too many, 401 when the caller was signed out meanwhile. */
export async function createKey(ctx: Deps, caller: Caller, input: KeyCreate): Promise<NewApiKey> {
  const secret = `${KEY_PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const addresses = new Map<string, string>();
  for (const slug of new Set(input.agentIds)) addresses.set((await getAgent(ctx.db, caller.uid, slug)).id, slug);
  const made = await ctx.db.transaction(async (tx) => {
    await lockUsage(tx, caller.uid);
    await requireLiveSignIn(tx, caller);
    if ((await tx.$count(apiKeys, eq(apiKeys.userId, caller.uid))) >= KEY_LIMITS.keys) {
      throw new AppError('conflict', `An account can have at most ${KEY_LIMITS.keys} keys. Revoke one first.`);
    }
    const [row] = await tx
      .insert(apiKeys)
      .values({
        userId: caller.uid,
        id: uuidv7(),
        name: input.name,
        hash: hashOf(secret),
        hint: secret.slice(-HINT),
        scopes: keyScope.options.filter((scope) => (input.scopes ?? keyScope.options).includes(scope)),
        agentIds: input.agentIds === undefined ? null : [...addresses.keys()],
      })
      .returning();
    const key = toKey(owned(caller.uid, row, 'This key'), addresses);
    await ctx.live.notify(tx, caller.uid, 'keys', key.id);
    // Without the key's name: the account may have somebody else's email, and its words must not be mailed there.
    const { hint, scopes, createdAt: at } = key;
    await queueNotice(ctx, tx, caller.uid, { kind: 'api_key', hint, scopes, agents: key.agentIds?.length ?? null, at });
    return { ...key, secret };
  });
  await noteActivity(ctx, caller.uid, 'key_made', { about: made.id });
  return made;
}

/** The caller's key, or 404. */
export async function getKey(ctx: Deps, caller: Caller, id: string): Promise<Authorized<ApiKeyRow>> {
  const own = and(eq(apiKeys.userId, caller.uid), eq(apiKeys.id, id));
  const [row] = isUuid(id) ? await ctx.db.select().from(apiKeys).where(own) : [];
  return owned(caller.uid, row, 'This key');
}

/** Revokes a key: its next call is refused, and an answer that it is waiting for stops. */
export async function revokeKey(ctx: Deps, key: Authorized<ApiKeyRow>): Promise<void> {
  await noteDeletion(ctx, { kind: 'key', userId: key.userId, ids: [key.id] });
  await ctx.db.transaction(async (tx) => {
    await tx.delete(apiKeys).where(and(eq(apiKeys.userId, key.userId), eq(apiKeys.id, key.id)));
    await ctx.live.notify(tx, key.userId, 'keys', key.id);
  });
  await noteActivity(ctx, key.userId, 'key_revoked', { about: key.id });
}

const NOTE_USE_AFTER_MS = 500;

type Auth = Parameters<typeof authenticate>[1];
type Context = Pick<Deps, 'db' | 'log' | 'config'>;

/** Our key in a request. Another bearer token is not ours: a proxy in front may use one. */
function bearerKey(headers: Headers): string | null {
  const [scheme, secret] = (headers.get('authorization') ?? '').split(' ', 2);
  return scheme?.toLowerCase() === 'bearer' && secret?.startsWith(KEY_PREFIX) ? secret : null;
}

/**
 * Who makes a request, by its key or else by its cookie; null for nobody. Key or sign-in, account and plan are read on every call, so what
 * is revoked, disabled or no longer Pro ends at once.
 */
export async function findCaller(ctx: Context, auth: Auth, headers: Headers): Promise<Caller | null> {
  const secret = bearerKey(headers);
  if (secret === null) return authenticate(ctx, auth, headers);
  const [row] = await keyCallerStatement(ctx.db).execute({ hash: hashOf(secret) });
  if (row === undefined) return null;
  const { isOld, ...caller } = row;
  // Later: this write would otherwise delay the answer's first word.
  if (isOld) setTimeout(() => void noteUse(ctx, caller), NOTE_USE_AFTER_MS).unref();
  return caller;
}

/** Whether nobody was found because the account is disabled. */
export function isDisabled(ctx: Context, auth: Auth, headers: Headers): Promise<boolean> {
  const secret = bearerKey(headers);
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
