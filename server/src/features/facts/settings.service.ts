import type { FactSettings } from '@atelier/contract/facts';
import { eq } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { factSettings } from './facts.table.ts';

/** Whether facts are kept for the caller, and how this installation finds them. */
export async function readFactSettings(
  ctx: Pick<Deps, 'db' | 'config' | 'models'>,
  { uid }: Caller,
): Promise<FactSettings> {
  const [row] = await ctx.db.select().from(factSettings).where(eq(factSettings.userId, uid));
  const { FACTS } = ctx.config;
  return {
    distil: row?.distil ?? true,
    installation: FACTS === 'model' && ctx.models.kind === 'offline' ? 'rules' : FACTS,
  };
}

/** Switches the keeping of new facts on or off for the caller; those that are known stay. */
export async function changeFactSettings(
  ctx: Deps,
  caller: Caller,
  { distil }: { distil: boolean },
): Promise<FactSettings> {
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(factSettings)
      .values({ userId: caller.uid, distil })
      .onConflictDoUpdate({ target: factSettings.userId, set: { distil } });
    await ctx.live.notify(tx, caller.uid, 'facts', caller.uid);
  });
  return readFactSettings(ctx, caller);
}
