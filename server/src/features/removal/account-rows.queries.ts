import { and, eq, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Tx } from '../../platform/database/database.ts';
import { someOf, WIDE_ROWS } from '../../platform/database/portions.ts';
import { agents } from '../agents/agents.table.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { namedSessions } from '../endpoints/endpoints.table.ts';
import { exploreTags } from '../explore/explore.table.ts';
import { facts } from '../facts/facts.table.ts';
import { favorites } from '../favorites/favorites.table.ts';
import { agentFiles, filePassages } from '../files/files.table.ts';
import { memories, memoryVectors, passageVectors } from '../memory/memory.table.ts';
import { queuedMessages } from '../queue/queue.table.ts';
import { taskPlaces } from '../runs/places.table.ts';
import { taskEvents, tasks, toolGrants, toolMedia } from '../runs/runs.table.ts';
import { summaries } from '../runs/summary.table.ts';
import { sessionFolders } from '../sessions/folders.table.ts';
import type { SessionKey } from '../sessions/sessions.service.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { shares } from '../shares/shares.table.ts';

/**
 * What stays of an account after `deleteUser`, in the order in which it is deleted: each table before those that it hangs on, so that no cascade
 * finds more than a few rows. A test fails for a table that is missing.
 */
export const leftRows = (uid: string): [table: PgTable, ofAccount: SQL, rows?: number][] => [
  [favorites, eq(favorites.creatorId, uid)],
  [shares, eq(shares.userId, uid)],
  [namedSessions, eq(namedSessions.userId, uid)],
  [queuedMessages, eq(queuedMessages.userId, uid), WIDE_ROWS],
  [toolGrants, eq(toolGrants.userId, uid)],
  [summaries, eq(summaries.userId, uid)],
  [taskEvents, eq(taskEvents.userId, uid)],
  [toolMedia, eq(toolMedia.userId, uid), WIDE_ROWS],
  [taskPlaces, eq(taskPlaces.userId, uid)],
  [passageVectors, eq(passageVectors.userId, uid)],
  [filePassages, eq(filePassages.userId, uid)],
  [agentFiles, eq(agentFiles.userId, uid)],
  [memoryVectors, eq(memoryVectors.userId, uid)],
  [facts, eq(facts.userId, uid)],
  [memories, eq(memories.userId, uid)],
  [tasks, eq(tasks.userId, uid), WIDE_ROWS],
  [sessions, eq(sessions.userId, uid)],
  [sessionFolders, eq(sessionFolders.userId, uid)],
  [attachments, eq(attachments.userId, uid), WIDE_ROWS],
  [exploreTags, eq(exploreTags.creatorId, uid)],
  [agents, eq(agents.userId, uid)],
];

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
