import type { Me, User } from '@atelier/contract/accounts';
import { SENTENCES } from '@atelier/contract/errors';
import { eq } from 'drizzle-orm';
import { type Caller, isOperator, limitsOf } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { authAccount } from './accounts.identity.table.ts';
import { canMailPeople } from './accounts.mail.service.ts';
import { isFirstAccount } from './accounts.operators.service.ts';
import { profiles, usage, user } from './accounts.table.ts';
import { photoAddress } from './photos/photos.service.ts';

type UserRow = typeof user.$inferSelect;

/** Everything a page needs to know about its user. Throws `signed_out` when the account is gone. */
export async function getMe(
  ctx: Pick<Deps, 'db' | 'models' | 'config' | 'mail' | 'trust'>,
  caller: Caller,
): Promise<Me> {
  const [row] = await ctx.db
    .select({ user, profile: profiles, usage, isFirst: isFirstAccount })
    .from(user)
    .innerJoin(profiles, eq(profiles.userId, user.id))
    .innerJoin(usage, eq(usage.userId, user.id))
    .where(eq(user.id, caller.uid));
  if (row === undefined) throw new AppError('signed_out', SENTENCES.signedOut);
  const providers = await ctx.db
    .select({ providerId: authAccount.providerId, accountId: authAccount.accountId })
    .from(authAccount)
    .where(eq(authAccount.userId, caller.uid));
  const { profile } = row;
  const { messageCount, taskCount, sessionCount } = row.usage;
  return {
    user: toUser(row.user, providers),
    account: {
      subscriptionStatus: profile.subscriptionStatus,
      subscriptionTier: profile.subscriptionTier,
      agentsCreated: profile.agentsCreated,
      createdAt: profile.createdAt.toISOString(),
      lastUpdated: profile.lastUpdated.toISOString(),
      lastPaidAt: profile.lastPaidAt?.getTime() ?? null,
      lastReference: profile.lastReference,
    },
    usage: { messageCount, taskCount, sessionCount },
    limits: limitsOf(profile.subscriptionStatus),
    models: ctx.models.list(),
    excludedModels: ctx.models.excluded(),
    standIn: ctx.models.standIn(),
    modelProvider: { kind: ctx.models.kind, label: ctx.models.label },
    operator: isOperator(ctx, { ...row.user, isFirst: row.isFirst }),
    security: { twoFactor: row.user.twoFactorEnabled, mail: canMailPeople(ctx) },
  };
}

/** The only place that turns a stored user into the specification's user object. */
function toUser(row: UserRow, providers: { providerId: string; accountId: string }[]): User {
  return {
    uid: row.id,
    displayName: row.name,
    photoURL: photoAddress(row.image),
    email: row.email,
    emailVerified: row.emailVerified,
    phoneNumber: row.phoneNumber,
    tenantId: null,
    isAnonymous: false,
    providerData: providers.map((provider) =>
      provider.providerId === 'credential'
        ? { providerId: 'password', uid: row.email }
        : { providerId: provider.providerId, uid: provider.accountId },
    ),
    metadata: {
      creationTime: row.createdAt.toISOString(),
      lastSignInTime: row.lastSignInAt?.toISOString() ?? null,
    },
  };
}
