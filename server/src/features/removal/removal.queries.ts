import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../platform/database/database.ts';
import { someOf, WIDE_ROWS } from '../../platform/database/portions.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents } from '../agents/agents.table.ts';
import { facts } from '../facts/facts.table.ts';
import { favorites } from '../favorites/favorites.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { apiKeys } from '../keys/keys.table.ts';
import { memories } from '../memory/memory.table.ts';
import { savedPrompts } from '../prompts/prompts.table.ts';
import { queuedMessages } from '../queue/queue.table.ts';
import { taskPlaces } from '../runs/places.table.ts';
import type { SessionKey } from '../sessions/sessions.service.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { shares } from '../shares/shares.table.ts';
import { ALL_TABLES, livingIn } from '../transfer/own-tables.table.ts';

/** What stays of an account after `deleteUser`, in the order in which it is deleted: each table before those that it hangs on. */
export const remainingRows = (uid: string): [table: PgTable, ofAccount: SQL, rows: number][] =>
  ALL_TABLES.flatMap(({ erase, ...own }) => (erase === undefined ? [] : [{ ...own, order: erase[0], rows: erase[1] }]))
    .toSorted((a, b) => a.order - b.order)
    .map(({ table, eraseBy, rows }) => [table, eq(eraseBy, uid), rows]);

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

/** Something of an account's own. */
export interface OwnKey {
  userId: string;
  id: string;
}

type Owned = PgTable & { userId: PgColumn };

/** Where what was deleted would be, if nobody had deleted it. */
const PLACES = {
  agent: [agents, agents.id],
  session: [sessions, sessions.id],
  exchange: [taskPlaces, taskPlaces.taskId],
  memory: [memories, memories.id],
  fact: [facts, facts.id],
  file: [agentFiles, agentFiles.id],
  share: [shares, shares.id],
  key: [apiKeys, apiKeys.id],
  prompt: [savedPrompts, savedPrompts.id],
} satisfies Record<string, [table: Owned, id: PgColumn]>;

/** Those of these that are there, as in a backup from before they were deleted. */
export async function findBack(db: Db, kind: keyof typeof PLACES, keys: readonly OwnKey[]): Promise<OwnKey[]> {
  const [table, id]: [Owned, PgColumn] = PLACES[kind];
  const wanted = sql`json_to_recordset(${JSON.stringify(keys)}::json) as wanted("userId" text, id uuid)`;
  return db
    .select({ userId: sql<string>`wanted."userId"`, id: sql<string>`wanted.id` })
    .from(wanted)
    .innerJoin(table, and(sql`${table.userId} = wanted."userId" and ${id} = wanted.id`, livingIn(table)));
}

export const findAccounts = (db: Db, ids: string[]) =>
  db.select({ uid: user.id, email: user.email }).from(user).where(inArray(user.id, ids));

const reader =
  <T extends Owned & { id: PgColumn }>(table: T) =>
  async (db: Db, { userId, id }: OwnKey) => {
    const isOne = and(eq(table.userId, userId), eq(table.id, id));
    const [row] = await db.select().from<PgTable>(table).where(isOne);
    return row as T['$inferSelect'] | undefined;
  };

export const readAgent = reader(agents);
export const readFact = reader(facts);
export const readFile = reader(agentFiles);

/** For what is only a row. */
export async function deleteRow(db: Db, kind: 'share' | 'key' | 'prompt', key: OwnKey): Promise<void> {
  const [table, id] = PLACES[kind];
  await db.delete(table).where(and(eq(table.userId, key.userId), eq(id, key.id)));
}
