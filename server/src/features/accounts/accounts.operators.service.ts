import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { isOperator } from '../../access.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { user } from './accounts.table.ts';

/** Whether no account is older. Inside, every column has its table: a select of one table leaves it out. */
export const isFirstAccount = sql<boolean>`${user.id} = (
  select first.id from ${user} first order by first.created_at, first.id limit 1)`;

const signs = { email: user.email, emailVerified: user.emailVerified, isFirst: isFirstAccount };

type Ctx = Pick<Deps, 'config' | 'trust'>;

/** Whether an account runs this installation; see `isOperator` in `access.ts`. */
export async function isOperatorAccount(ctx: Ctx & Pick<Deps, 'db'>, uid: string): Promise<boolean> {
  const [account] = await ctx.db.select(signs).from(user).where(eq(user.id, uid));
  return account !== undefined && isOperator(ctx, account);
}

/** The accounts that may run this installation, to notify their open pages; each call decides by itself. */
export async function listOperators(ctx: { db: Db; config: Ctx['config'] }): Promise<string[]> {
  const names = ctx.config.OPERATORS.map((name) => name.toLowerCase());
  const rows = await ctx.db
    .select({ id: user.id })
    .from(user)
    .where(or(and(user.emailVerified, inArray(user.email, names)), isFirstAccount));
  return rows.map(({ id }) => id);
}
