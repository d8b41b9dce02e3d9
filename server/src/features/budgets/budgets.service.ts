import { type BudgetKey, type ServerSettings, variableOf } from '@atelier/contract/operator/settings';
import type { BudgetState } from '@atelier/contract/usage';
import { sql } from 'drizzle-orm';
import { integer, jsonb, numeric, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { sqlFunction } from '../../platform/database/sql-function.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { inSeconds } from '../../platform/language/in-seconds.ts';
import { costOf, type Price } from '../../platform/models/catalogue/prices.ts';

/** The most that models may take in a period that begins at midnight in UTC. */
export interface Budget {
  scope: 'account' | 'server';
  period: 'day' | 'month';
  unit: 'tokens' | 'cost';
  most: number;
}

/** A budget, and what a run reserves of it. */
export interface BoundBudget extends Budget {
  need: number;
  currency: string;
}

const atelierBudgetUse = sqlFunction(
  'atelier_budget_use',
  { uid: text('_uid').notNull(), budgets: jsonb('_budgets').$type<readonly BoundBudget[]>().notNull() },
  { place: integer().notNull(), used: numeric().notNull(), reserved: numeric().notNull() },
);

const MEGABYTE = 1024 * 1024;

/** What the operator allows each account at once. The numbers of the free plan are the product's, and not among it. */
export const boundsOf = (config: Config) => ({
  /** Of one account. */
  runsAtOnce: config.RUNS_AT_ONCE * config.ACCOUNT_BOUNDS,
  streams: config.STREAMS_AT_ONCE,
  agents: config.AGENTS_MAX,
  /** In bytes: all files of an account, and one. */
  storage: config.STORAGE_MB * MEGABYTE,
  upload: config.UPLOAD_MB * MEGABYTE,
});

/** The budgets of this installation, those that last longest first; none unless the operator sets some, here or in the environment. */
export async function findBudgets({
  config,
  settings,
}: Pick<Deps, 'config'> & { settings: Pick<Deps['settings'], 'now'> }): Promise<Budget[]> {
  const amounts = budgetAmounts(config, await settings.now());
  return ORDER.flatMap((budget) => {
    const most = amounts[`budget-${budget.scope}-${budget.period}-${budget.unit}`];
    return most === undefined ? [] : [{ ...budget, most }];
  });
}

const ORDER = (['month', 'day'] as const).flatMap((period) =>
  (['account', 'server'] as const).flatMap((scope) =>
    (['tokens', 'cost'] as const).map((unit) => ({ scope, period, unit })),
  ),
);

/**
 * What binds, by the names of the settings: what the operator set while the server ran counts before the environment. One of tokens that was
 * stored below what one answer reserves now counts as that: nobody could be answered otherwise.
 */
export function budgetAmounts(config: Config, settings: ServerSettings): { [K in BudgetKey]?: number } {
  const amounts = ORDER.map(({ scope, period, unit }) => {
    const key: BudgetKey = `budget-${scope}-${period}-${unit}`;
    const here = settings[key];
    const most = here === undefined ? config[variableOf(key)] : (here ?? undefined);
    return [key, unit === 'tokens' && most !== undefined ? Math.max(most, config.BUDGET_RUN_TOKENS) : most] as const;
  });
  return Object.fromEntries(amounts.filter(([, most]) => most !== undefined));
}

/** Throws 400 for a budget of tokens below what one answer reserves: none could begin. */
export function refuseSmallBudgets({ BUDGET_RUN_TOKENS: least }: Config, changes: { [key: string]: unknown }): void {
  const small = Object.entries(changes).find(
    ([key, most]) => key.startsWith('budget-') && key.endsWith('-tokens') && typeof most === 'number' && most < least,
  );
  if (small === undefined) return;
  const message = `One answer reserves ${least.toLocaleString('en-US')} tokens (BUDGET_RUN_TOKENS), so a budget of tokens can’t be less.`;
  throw new AppError('invalid_input', message, { field: small[0] });
}

/** The budgets with what a call of a model may take of them. Throws 409 when money is limited and the model has no price. */
export function bindBudgets(
  { models }: Pick<Deps, 'models'>,
  budgets: readonly Budget[],
  model: string,
  most: { input: number; output: number },
): BoundBudget[] {
  const price = models.priceOf(model);
  return budgets.map((budget) => {
    const need = budget.unit === 'tokens' ? most.input + most.output : priced(model, price, most);
    return { ...budget, need, currency: models.currency };
  });
}

function priced(model: string, price: Price | null, most: { input: number; output: number }): number {
  const cost = costOf(price, most);
  if (cost !== null) return cost;
  throw new AppError(
    'conflict',
    `This server has a budget in money, and the price of ${model} isn’t known. Choose another model, or ask the operator to set its price.`,
  );
}

/** Until so many seconds have passed, an answer under way may have ended. */
const SOON = 10;

/** When the period of a budget ends, in UTC. */
function endOf({ period }: Budget, now: Date): Date {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return new Date(period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1));
}

/** The 429 of a budget that has no room for an answer: used up until its period ends, or reserved by answers under way. */
export function budgetRefusal(budget: BoundBudget, why: 'budget_used' | 'budget_reserved', now = new Date()): AppError {
  const { scope, most, period, unit, currency } = budget;
  const figure = most.toLocaleString('en-US', { maximumFractionDigits: 6 });
  const name = `${scope === 'account' ? 'Your' : 'This server’s'} budget of ${figure} ${unit === 'tokens' ? 'tokens' : currency} a ${period}`;
  if (why === 'budget_reserved') {
    const message = `${name} has no room for another answer until those under way have ended. Please try again in ${inSeconds(SOON)}.`;
    return new AppError('too_many_requests', message, { retryAfterSeconds: SOON });
  }
  const end = endOf(budget, now);
  const opens = `It opens again on ${end.toISOString().slice(0, 10)} at 00:00 UTC.`;
  return new AppError('too_many_requests', `${name} has no room for another answer. ${opens}`, {
    retryAfterSeconds: Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000)),
  });
}

const uses = z.object({
  rows: z.array(z.object({ place: z.number(), used: z.coerce.number(), reserved: z.coerce.number() })),
});

async function readUses({ db }: Pick<Deps, 'db'>, uid: string, budgets: readonly BoundBudget[]) {
  return uses.parse(await db.execute(sql`select * from ${atelierBudgetUse.call({ uid, budgets })}`)).rows;
}

/** The budgets as their owner may see them: those of the account with what is used, those of the whole server as they are. */
export async function reportBudgets(
  ctx: Pick<Deps, 'db' | 'config' | 'settings' | 'models'>,
  uid: string,
): Promise<BudgetState[]> {
  const { currency } = ctx.models;
  const budgets = (await findBudgets(ctx)).map((budget) => ({ ...budget, need: 0, currency }));
  if (budgets.length === 0) return [];
  const rows = await readUses(ctx, uid, budgets);
  return budgets.map(({ need: _need, currency: _currency, ...budget }, at) => {
    const use = rows.find(({ place }) => place === at);
    const own = budget.scope === 'account' && use !== undefined ? { used: use.used, reserved: use.reserved } : null;
    return { ...budget, use: own, opensAt: endOf(budget, new Date()).toISOString() };
  });
}
