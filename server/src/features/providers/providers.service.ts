import type { modelProvider, providersAnswer } from '@atelier/contract/operator/providers';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Tx } from '../../platform/database/database.ts';
import { type FollowedValue, followStored, PROCESSES } from '../../platform/database/followed-value.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { ModelKey, ProviderUse } from '../../platform/models/models.ts';
import { modelExclusions, providerUses } from './providers.table.ts';

declare module '../../platform/deps.ts' {
  interface Deps {
    /** What has this process offer models as the database says. */
    exclusions: FollowedValue<ModelKey[]>;
  }
}

/** A notice for processes; theirs to open pages has no id, and comes when they have read the change. */
const STORED = 'stored';

type Context = Pick<Deps, 'db' | 'models'>;

const readExclusions = ({ db }: Pick<Deps, 'db'>): Promise<ModelKey[]> =>
  db.select({ provider: modelExclusions.provider, model: modelExclusions.model }).from(modelExclusions);

/** Offers what the database says now, once: for a command beside the server. */
export const loadExclusions = async (ctx: Context): Promise<void> => ctx.models.exclude(await readExclusions(ctx));

/** Does so with every change; open pages hear of it. */
export const followExclusions = (ctx: Context & Pick<Deps, 'live' | 'log'>): FollowedValue<ModelKey[]> =>
  followStored(ctx, {
    name: 'models.exclusions',
    read: () => readExclusions(ctx),
    concerns: ({ topic, id }) => topic === 'models' && id === STORED,
    apply: (keys) => {
      ctx.models.exclude(keys);
      ctx.live.emit('*', { event: 'changed', data: { topic: 'models', id: '' } });
    },
  });

const lockExclusions = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('model_exclusions'))`);

interface Offer {
  provider: string;
  /** Names at the provider. */
  models: readonly string[];
  offered: boolean;
}

/**
 * Offers models of a provider to people, or takes them away, in every process. `also` belongs into the same transaction and gets those that
 * change; where none does, nothing happens. 404 for a provider or a model that isn't there, 409 where no model would be left.
 */
export async function offerModels(
  ctx: Context & { live: Pick<Deps['live'], 'notify'>; exclusions?: FollowedValue<ModelKey[]> },
  { provider, models, offered }: Offer,
  also: (tx: Tx, changed: string[]) => Promise<void>,
): Promise<string[]> {
  const listed = ctx.models.providers().find(({ name }) => name === provider)?.models;
  if (listed === undefined) throw notFound('This provider');
  // One that the provider doesn't list any more is among them, and can still be given back.
  const names = new Set(listed.map(({ model }) => model));
  const changed = await ctx.db.transaction(async (tx) => {
    await lockExclusions(tx);
    const excluded = await tx.select().from(modelExclusions);
    const before = new Set(excluded.filter((one) => one.provider === provider).map(({ model }) => model));
    if (models.some((model) => !names.has(model) && !before.has(model))) throw notFound('This model');
    const changing = [...new Set(models)].filter((model) => before.has(model) === offered);
    if (changing.length === 0) return [];
    if (!offered) requireRest(ctx, [...excluded, ...changing.map((model) => ({ provider, model }))]);
    await (offered
      ? tx
          .delete(modelExclusions)
          .where(and(eq(modelExclusions.provider, provider), inArray(modelExclusions.model, changing)))
      : tx.insert(modelExclusions).values(changing.map((model) => ({ provider, model }))));
    await also(tx, changing);
    await ctx.live.notify(tx, PROCESSES, 'models', STORED);
    return changing;
  });
  // Its own answer is followed by a look at the list. Where this fails, it is tried again.
  if (changed.length > 0) await ctx.exclusions?.read().catch(() => {});
  return changed;
}

/** Throws 409 where all that the providers list would be excluded: nobody could be answered. */
function requireRest({ models }: Pick<Deps, 'models'>, excluded: readonly ModelKey[]): void {
  const isExcluded = (provider: string, model: string) =>
    excluded.some((one) => one.provider === provider && one.model === model);
  const hasRest = models.providers().some(({ name, models: own }) => own.some(({ model }) => !isExcluded(name, model)));
  if (!hasRest) throw new AppError('conflict', 'Nobody could be answered then. Offer another model first.');
}

/** Stores how the providers were used by this process since the last time. */
export async function storeUses({ db, models: { uses } }: Context): Promise<void> {
  // In one order: two processes that store at once never wait for each other.
  const entries = [...uses].toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return;
  const later = sql`coalesce(excluded.failed_at >= coalesce(${providerUses.failedAt}, excluded.failed_at), false)`;
  const failure = (column: 'failed_at' | 'status' | 'code' | 'type') =>
    sql`case when ${later} then excluded.${sql.identifier(column)} else provider_uses.${sql.identifier(column)} end`;
  await db
    .insert(providerUses)
    .values(entries.map(([provider, use]) => ({ provider, ...toRow(use) })))
    .onConflictDoUpdate({
      target: providerUses.provider,
      set: {
        answeredAt: sql`greatest(${providerUses.answeredAt}, excluded.answered_at)`,
        failedAt: failure('failed_at'),
        status: failure('status'),
        code: failure('code'),
        type: failure('type'),
      },
    });
  // One that was used meanwhile is stored the next time.
  for (const [provider, use] of entries) if (uses.get(provider) === use) uses.delete(provider);
}

const toRow = ({ answeredAt, failure }: ProviderUse) => ({
  answeredAt,
  failedAt: failure?.at ?? null,
  status: failure?.status ?? null,
  code: failure?.code ?? null,
  type: failure?.type ?? null,
});

/** The providers with what they list, and how they were last used, here or by another process. */
export async function listProviders(ctx: Context & Pick<Deps, 'log'>): Promise<z.infer<typeof providersAnswer>> {
  await storeUses(ctx).catch((error: unknown) => ctx.log.error('models.uses', error));
  const uses = new Map((await ctx.db.select().from(providerUses)).map((use) => [use.provider, use]));
  const providers = ctx.models.providers().map((one): z.infer<typeof modelProvider> => {
    const { name, host, origin, problem, models } = one;
    const { answeredAt = null, failedAt = null, status = null, code = null, type = null } = uses.get(name) ?? {};
    return {
      name,
      host,
      origin,
      problem: problem ?? null,
      answeredAt: answeredAt?.toISOString() ?? null,
      failure: failedAt === null ? null : { at: failedAt.toISOString(), status, code, type },
      models: models.map(({ isOffered, ...model }) => ({ ...model, offered: isOffered })),
    };
  });
  return { providers, standIn: ctx.models.standIn() };
}
