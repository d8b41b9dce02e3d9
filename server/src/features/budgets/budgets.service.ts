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

/** What the operator allows each account, and all together. The numbers of the free plan are the product's, and not among it. */
export const budgetsOf = (config: Config) => ({
  budgets: tokenBudgets(config),
  /** The most tokens of one answer while there are budgets. */
  runTokens: config.BUDGET_RUN_TOKENS,
  /** Of one account. */
  runsAtOnce: config.RUNS_AT_ONCE * config.ACCOUNT_BOUNDS,
  streams: config.STREAMS_AT_ONCE,
  agents: config.AGENTS_MAX,
  /** In bytes: all files of an account, and one. */
  storage: config.STORAGE_MB * MEGABYTE,
  upload: config.UPLOAD_MB * MEGABYTE,
});

/** The budgets of this installation, those that last longest first; none unless the operator sets some. */
function tokenBudgets(config: Config): Budget[] {
  const of = (['month', 'day'] as const).flatMap((period) =>
    (['account', 'server'] as const).flatMap((scope) =>
      (['tokens', 'cost'] as const).map((unit) => ({ scope, period, unit })),
    ),
  );
  return of.flatMap((budget) => {
    const name = `BUDGET_${budget.scope}_${budget.period}_${budget.unit}`.toUpperCase();
    const most = AMOUNTS.parse(config)[name as keyof z.infer<typeof AMOUNTS>];
    return most === undefined ? [] : [{ ...budget, most }];
  });
}

const amount = z.number().optional();
const AMOUNTS = z.object({
  BUDGET_ACCOUNT_DAY_TOKENS: amount,
  BUDGET_ACCOUNT_MONTH_TOKENS: amount,
  BUDGET_ACCOUNT_DAY_COST: amount,
  BUDGET_ACCOUNT_MONTH_COST: amount,
  BUDGET_SERVER_DAY_TOKENS: amount,
  BUDGET_SERVER_MONTH_TOKENS: amount,
  BUDGET_SERVER_DAY_COST: amount,
  BUDGET_SERVER_MONTH_COST: amount,
});

/** The budgets with what a call of a model may take of them. Throws 409 when money is limited and the model has no price. */
export function bindBudgets(
  { config, models }: Pick<Deps, 'config' | 'models'>,
  model: string,
  most: { input: number; output: number },
): BoundBudget[] {
  const price = models.priceOf(model);
  return budgetsOf(config).budgets.map((budget) => {
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

/**
 * Whether the budgets have room for work in the background that may take so many tokens. It isn't reserved: what is begun at the same time
 * may take a budget over its end by that much.
 */
export async function hasRoom(
  ctx: Pick<Deps, 'db' | 'config' | 'models'>,
  uid: string,
  model: string,
  tokens: number,
): Promise<boolean> {
  const { budgets: all } = budgetsOf(ctx.config);
  if (all.length === 0) return true;
  // What has no known price is never begun under a budget in money.
  if (ctx.models.priceOf(model) === null && all.some(({ unit }) => unit === 'cost')) return false;
  const budgets = bindBudgets(ctx, model, { input: tokens, output: 0 });
  const rows = await readUses(ctx, uid, budgets);
  return rows.every(({ place, used, reserved }) => {
    const budget = budgets[place];
    return budget === undefined || used + reserved + budget.need <= budget.most;
  });
}

/** The budgets as their owner may see them: those of the account with what is used, those of the whole server as they are. */
export async function reportBudgets(ctx: Pick<Deps, 'db' | 'config' | 'models'>, uid: string): Promise<BudgetState[]> {
  const { currency } = ctx.models;
  const budgets = budgetsOf(ctx.config).budgets.map((budget) => ({ ...budget, need: 0, currency }));
  if (budgets.length === 0) return [];
  const rows = await readUses(ctx, uid, budgets);
  return budgets.map(({ need: _need, currency: _currency, ...budget }, at) => {
    const use = rows.find(({ place }) => place === at);
    const own = budget.scope === 'account' && use !== undefined ? { used: use.used, reserved: use.reserved } : null;
    return { ...budget, use: own, opensAt: endOf(budget, new Date()).toISOString() };
  });
}
