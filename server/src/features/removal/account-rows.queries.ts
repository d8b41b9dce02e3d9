import { and, eq, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Tx } from '../../platform/database/database.ts';
import { someOf, WIDE_ROWS } from '../../platform/database/portions.ts';
import { agents } from '../agents/agents.table.ts';
import { favorites } from '../favorites/favorites.table.ts';
import { queuedMessages } from '../queue/queue.table.ts';
import type { SessionKey } from '../sessions/sessions.service.ts';
import { ALL_TABLES } from '../transfer/own-tables.table.ts';

/** What stays of an account after `deleteUser`, in the order in which it is deleted: each table before those that it hangs on. */
export const leftRows = (uid: string): [table: PgTable, ofAccount: SQL, rows: number][] =>
  ALL_TABLES.flatMap<[PgTable, SQL, number]>(({ table, eraseBy, erase }) =>
    erase === undefined ? [] : [[table, eq(eraseBy, uid), erase]],
  ).toReversed();

/** The messages that wait in a session. */
export const waitingRows = ({
  userId,
  sessionId,
}: SessionKey): [table: PgTable, ofSession: SQL | undefined, rows: number] => [
  queuedMessages,
  and(eq(queuedMessages.userId, userId), eq(queuedMessages.sessionId, sessionId)),
  WIDE_ROWS,
];

/** Deletes some of an account's favorites; returns whose agents they were. */
export const deleteFavorites = async (tx: Tx, uid: string, size: number): Promise<string[]> => {
  const gone = await tx
    .delete(favorites)
    .where(someOf(favorites, eq(favorites.userId, uid), size))
    .returning({ creatorId: favorites.creatorId });
  return gone.map(({ creatorId }) => creatorId);
};

/** Makes some copies of an account's agents stand for themselves; returns whose they are. */
export const detachCopies = async (tx: Tx, uid: string, size: number): Promise<string[]> => {
  const copies = await tx
    .update(agents)
    .set({ forkedFromUser: null, forkedFromAgent: null })
    .where(someOf(agents, eq(agents.forkedFromUser, uid), size))
    .returning({ userId: agents.userId });
  return copies.map(({ userId }) => userId);
};
