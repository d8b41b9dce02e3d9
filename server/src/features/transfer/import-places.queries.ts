import { and, eq, inArray, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { v5 as uuidv5 } from 'uuid';
import type { Db } from '../../platform/database/database.ts';
import { agents } from '../agents/agents.table.ts';

/** An agent of the archive in this account. */
export interface AgentPlace {
  id: string;
  /** It is the very agent that was exported, in the account that exported it. */
  isSame: boolean;
}

export type AgentPlaces = ReadonlyMap<string, AgentPlace>;

const NAMESPACE = 'c1f7f0a4-5f0b-4e0a-9d0a-6d2f6a2b7c11';
/** How often an agent may be imported and deleted again. */
const GENERATIONS = 100;

/**
 * The id that something of the archive gets here: always the same one for the same archive, account and agent, so that a second import finds
 * what the first one brought. An id of the archive is never taken over, for it is the sender's choice.
 */
export const importedId = (agent: AgentPlace, id: string) => uuidv5(id, agent.id);

/** The id here of what an archive names: the same one for the very agent that was exported. */
export const idHere = (agent: AgentPlace, id: string) => (agent.isSame ? id : importedId(agent, id));

type State = 'free' | 'living' | 'deleted';

async function stateOf(db: Db, uid: string, id: string): Promise<State> {
  const [row] = await db
    .select({ deletedAt: agents.deletedAt })
    .from(agents)
    .where(and(eq(agents.userId, uid), eq(agents.id, id)));
  if (row === undefined) return 'free';
  return row.deletedAt === null ? 'living' : 'deleted';
}

/** Whether the account has an agent of this key, deleted or not. */
export const isHere = async (db: Db, uid: string, id: string) => (await stateOf(db, uid, id)) !== 'free';

/**
 * Where an agent of the archive is, or where it is to be created (`free`). One that was deleted here comes back as another agent; one that
 * was deleted there (`isGone`) only stands for its sessions.
 */
export async function placeAgent(db: Db, uid: string, source: string, isGone = false) {
  const own = await stateOf(db, uid, source);
  if (own === 'living' || (isGone && own === 'deleted')) return { id: source, isSame: true, state: own };
  for (let n = 0; n < GENERATIONS; n += 1) {
    const id = uuidv5(`${uid}/${source}/${n}`, NAMESPACE);
    const state = await stateOf(db, uid, id);
    if (state !== 'deleted' || isGone) return { id, isSame: false, state };
  }
  throw new Error(`agent ${source} was imported ${GENERATIONS} times`);
}

interface OwnedTable extends PgTable {
  userId: PgColumn;
  id: PgColumn;
}

/** Something of the archive, by its id there. */
interface Source {
  id: string;
  agent: AgentPlace;
}

/**
 * Which things of the archive the account has, by their ids there: what an earlier import brought, and for the very agent that was exported
 * the thing itself.
 */
export async function findPresent(tx: Db, uid: string, table: OwnedTable, sources: Source[], only?: SQL) {
  const candidates = ({ id, agent }: Source) => [...(agent.isSame ? [id] : []), importedId(agent, id)];
  const ids = [...new Set(sources.flatMap(candidates))];
  if (ids.length === 0) return new Map<string, string>();
  const rows = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.userId, uid), inArray(table.id, ids), only));
  const here = new Set(rows.map((row) => String(row.id)));
  return new Map(
    sources.flatMap((source) => {
      const id = candidates(source).find((candidate) => here.has(candidate));
      return id === undefined ? [] : [[source.id, id]];
    }),
  );
}
