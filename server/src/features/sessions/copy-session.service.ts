import { fitName } from '@atelier/contract/names/names';
import { SESSION_NAME_MAX } from '@atelier/contract/sessions';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Authorized, Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import { requireRoom } from './session-limit.service.ts';
import { afterLast } from './sessions.queries.ts';
import { PURGE_QUEUE, type SessionWithAgent } from './sessions.service.ts';
import { sessions } from './sessions.table.ts';

const COPY_MARK = ' (continued)';
/** A copy that is not complete by then, because the process died, is removed. In seconds. */
const COPY_WITHIN = 600;

/**
 * A new session beside another one, with its agent and name, hidden until `restoreSessions` shows it. Returns its id; 402 when the account has
 * no session left.
 */
export async function startCopy(ctx: Deps, caller: Caller, session: Authorized<SessionWithAgent>): Promise<string> {
  return ctx.db.transaction(async (tx) => {
    requireRoom(await lockUsage(tx, caller.uid), 1);
    const id = uuidv7();
    const base = session.name.endsWith(COPY_MARK) ? session.name.slice(0, -COPY_MARK.length) : session.name;
    await tx.insert(sessions).values({
      userId: caller.uid,
      id,
      agentId: session.agentId,
      name: fitName(base, SESSION_NAME_MAX - COPY_MARK.length, 'Session') + COPY_MARK,
      nameSource: 'title',
      folderId: session.folderId,
      createdAt: afterLast(caller.uid),
      deletedAt: sql`now()`,
    });
    await ctx.jobs.send(tx, PURGE_QUEUE, { userId: caller.uid, sessionId: id }, { startAfterSeconds: COPY_WITHIN });
    return id;
  });
}
