import { validate as isUuid } from 'uuid';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { createSession } from '../sessions/create-session.service.ts';
import { findSessionById, findSessionByName, findSessionOfTask } from './endpoints.queries.ts';
import { namedSessions } from './endpoints.table.ts';

const NAME_MAX = 200;

/** Which session a program wants. */
export interface SessionWish {
  /** The id of a session, or any name of the program's own. */
  name?: string | undefined;
  /** An earlier exchange to go on from. */
  after?: string | undefined;
  /** The answer leaves no session: it has one of its own. */
  isFleeting?: boolean | undefined;
  /** The session of this name, if the caller has just looked it up. */
  known?: string | undefined;
}

/** Under which name a program's session is stored. */
export const sessionKey = (caller: Caller, name: string | undefined) =>
  name ? `id:${name}` : `key:${caller.key?.id ?? 'none'}`;

/**
 * The id of the session that a program means: that of an earlier exchange, the one with this id, or the one of this name, which is made
 * when it is new or was deleted. Without a wish, each key has one session with each agent. A fleeting one is new each time.
 */
export async function chooseSession(ctx: Deps, caller: Caller, agent: AgentRow, wish: SessionWish): Promise<string> {
  const place = { uid: caller.uid, agentId: agent.id };
  if (wish.after !== undefined) {
    const found = isUuid(wish.after) ? await findSessionOfTask(ctx.db, place, wish.after) : undefined;
    if (found !== undefined) return found;
    throw new AppError('not_found', 'The earlier response was not found.', { field: 'previous_response_id' });
  }
  if (wish.isFleeting) return (await createSession(ctx, caller, { agentId: agent.slug })).id;
  const { name } = wish;
  if (name !== undefined && name.length > NAME_MAX) {
    throw new AppError('invalid_input', `A session’s name has at most ${NAME_MAX} characters.`, { field: 'user' });
  }
  const known = name !== undefined && isUuid(name) ? await findSessionById(ctx.db, place, name) : undefined;
  if (known !== undefined) return known;
  const key = sessionKey(caller, name);
  return wish.known ?? (await findSessionByName(ctx.db, place, key)) ?? openSession(ctx, caller, agent, key);
}

/** Makes the session of a name once, however many requests ask for it. */
async function openSession(ctx: Deps, caller: Caller, agent: AgentRow, name: string): Promise<string> {
  const place = { uid: caller.uid, agentId: agent.id };
  return ctx.db.transaction(async (tx) => {
    await lockUsage(tx, caller.uid);
    const found = await findSessionByName(tx, place, name);
    if (found !== undefined) return found;
    const { id } = await createSession({ ...ctx, db: tx }, caller, { agentId: agent.slug });
    await tx
      .insert(namedSessions)
      .values({ userId: caller.uid, agentId: agent.id, name, sessionId: id })
      .onConflictDoUpdate({
        target: [namedSessions.userId, namedSessions.agentId, namedSessions.name],
        set: { sessionId: id },
      });
    return id;
  });
}
