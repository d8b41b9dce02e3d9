import { defaultSessionName } from '@atelier/contract/sessions';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { isSession, type SessionKey } from './sessions.service.ts';
import { sessions } from './sessions.table.ts';

/** Names the session after its first exchange, unless the person has named it. */
export async function titleSession(ctx: Deps, input: { userId: string; sessionId: string; title: string }) {
  await ctx.db.transaction(async (tx) => {
    const named = await tx
      .update(sessions)
      .set({ name: input.title, nameSource: 'title' })
      .where(
        and(eq(sessions.userId, input.userId), eq(sessions.id, input.sessionId), ne(sessions.nameSource, 'person')),
      )
      .returning({ id: sessions.id });
    if (named.length > 0) await ctx.live.notify(tx, input.userId, 'sessions', input.sessionId);
  });
}

/** Removes a generated name when the messages that it described are gone. */
export async function untitleSession(ctx: Deps, tx: Tx, key: SessionKey): Promise<void> {
  const agentName = sql<string>`(select a.name from agents a where a.user_id = ${sessions.userId} and a.id = ${sessions.agentId})`;
  const [found] = await tx
    .select({ agentName })
    .from(sessions)
    .where(and(isSession(key), eq(sessions.nameSource, 'title')));
  if (found === undefined) return;
  const name = defaultSessionName(found.agentName);
  await tx.update(sessions).set({ name, nameSource: 'default' }).where(isSession(key));
  await ctx.live.notify(tx, key.userId, 'sessions', key.sessionId);
}
