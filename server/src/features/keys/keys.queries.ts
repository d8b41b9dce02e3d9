import { and, eq, inArray, isNull, not, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { prepareOnce } from '../../platform/database/prepared.ts';
import { mayEnter } from '../accounts/accounts.service.ts';
import { profiles, user } from '../accounts/accounts.table.ts';
import { agents } from '../agents/agents.table.ts';
import { apiKeys } from './keys.table.ts';

/** After how many seconds the time of last use is written again. */
const USE_SECONDS = 60;

/** Whether the time of last use must be written again. */
export const isUseOld = sql<boolean>`coalesce(${apiKeys.lastUsedAt} < now() - make_interval(secs => ${sql.raw(String(USE_SECONDS))}), true)`;

/** The caller of a key, by its hash: key and account in one statement. */
export const keyCallerStatement = prepareOnce((db) =>
  db
    .select({
      uid: user.id,
      displayName: user.name,
      email: user.email,
      plan: profiles.subscriptionStatus,
      key: { id: apiKeys.id, scopes: apiKeys.scopes, agentIds: apiKeys.agentIds },
      isOld: isUseOld,
    })
    .from(apiKeys)
    .innerJoin(user, eq(user.id, apiKeys.userId))
    .innerJoin(profiles, eq(profiles.userId, user.id))
    .where(and(eq(apiKeys.hash, sql.placeholder('hash')), mayEnter))
    .prepare('key_caller'),
);

/** Whether the key exists, and its account is disabled. */
export async function isDisabledKey(db: Db, hash: string): Promise<boolean> {
  const rows = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .innerJoin(user, eq(user.id, apiKeys.userId))
    .where(and(eq(apiKeys.hash, hash), not(mayEnter)));
  return rows.length > 0;
}

/** The addresses of a person's living agents, by their hidden keys. */
export async function agentAddresses(db: Db, uid: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: agents.id, slug: agents.slug })
    .from(agents)
    .where(and(eq(agents.userId, uid), inArray(agents.id, ids), isNull(agents.deletedAt)));
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}
