import { and, eq, sql } from 'drizzle-orm';
import { bigint, boolean, interval, jsonb, numeric, text, uuid } from 'drizzle-orm/pg-core';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { sqlFunction } from '../../platform/database/sql-function.ts';
import type { Deps } from '../../platform/deps.ts';
import type { TokenCount } from '../../platform/models/tokens.ts';
import { type LedgerCall, type LedgerEntry, recordTokens, toEntry } from '../ledger/ledger.service.ts';
import { type BoundBudget, bindBudgets, findBudgets } from './budgets.service.ts';
import { budgetReservations } from './budgets.table.ts';

/** A call of a model outside an answer. */
export interface BackgroundCall extends LedgerCall {
  uid: string;
  /** The most that it may take. */
  tokens: number;
  timeoutMs: number;
}

/** How long after its end a call may take until its tokens are in the ledger. */
const RECORDING_MS = 10_000;

type Context = Pick<Deps, 'db' | 'config' | 'settings' | 'models' | 'log'>;

const atelierReserveBudget = sqlFunction(
  'atelier_reserve_budget',
  {
    uid: text('_uid').notNull(),
    id: uuid('_id').notNull(),
    budgets: jsonb('_budgets').$type<readonly BoundBudget[]>().notNull(),
    tokens: bigint('_tokens', { mode: 'number' }).notNull(),
    cost: numeric('_cost'),
    lease: interval('_lease').notNull(),
  },
  boolean().notNull(),
);

const answered = z.object({ rows: z.tuple([z.object({ reserved: z.boolean() })]) });

/**
 * Asks a model outside an answer. What the call may take is reserved of the budgets before, and its tokens are stored after it, also if it fails.
 * Null where a budget has no room: nothing was asked.
 */
export async function askInBackground<T>(
  ctx: Context,
  call: BackgroundCall,
  ask: (how: { signal: AbortSignal; tokens: number; onTokens: (tokens: TokenCount) => void }) => Promise<T>,
): Promise<T | null> {
  const release = await reserve(ctx, call);
  if (release === null) return null;
  const entries: LedgerEntry[] = [];
  try {
    return await ask({
      signal: AbortSignal.timeout(call.timeoutMs),
      tokens: call.tokens,
      onTokens: (took) => entries.push(toEntry(ctx.models, call, took)),
    });
  } finally {
    await recordTokens(ctx, call.uid, entries);
    await release();
  }
}

/** Reserves for a call; answers how to give it back, or null without room. No statement where there are no budgets. */
async function reserve(ctx: Context, { uid, model, tokens, timeoutMs }: BackgroundCall) {
  const all = await findBudgets(ctx);
  if (all.length === 0) return async () => {};
  const price = ctx.models.priceOf(model);
  // What has no known price is never begun under a budget in money.
  if (price === null && all.some(({ unit }) => unit === 'cost')) return null;
  // Nobody knows how much of it will be written, so each token costs what the dearer ones do.
  const isOutputDearer = price !== null && price.output > price.input;
  const most = { input: isOutputDearer ? 0 : tokens, output: isOutputDearer ? tokens : 0 };
  const budgets = bindBudgets(ctx, all, model, most);
  const cost = budgets.find(({ unit }) => unit === 'cost')?.need;
  const id = uuidv7();
  const reservation = { uid, id, budgets, tokens, cost: cost === undefined ? null : `${cost}` };
  const lease = `${timeoutMs + RECORDING_MS} milliseconds`;
  const statement = sql`select ${atelierReserveBudget.call({ ...reservation, lease })} as reserved`;
  const [{ reserved }] = answered.parse(await ctx.db.execute(statement)).rows;
  if (!reserved) return null;
  const own = and(eq(budgetReservations.userId, uid), eq(budgetReservations.id, id));
  return async () => {
    // Without a database it counts until its time is over.
    await ctx.db
      .delete(budgetReservations)
      .where(own)
      .catch((error: unknown) => ctx.log.error('budgets.release', error));
  };
}
