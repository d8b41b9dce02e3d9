import { type AnyColumn, and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { withoutSorting } from '../../platform/database/find-in-order.ts';
import { milliseconds } from '../../platform/database/prepared.ts';
import { filePassages } from '../files/files.table.ts';
import { FIELD_END, lastPosition, type Position, ROW_END } from './index/packed-rows.ts';
import { memories, memoryVectors, passageVectors } from './memory.table.ts';

/** Rows per insert and per load, so that each statement stays short. */
export const PORTION = 500;

/** Memories are loaded before the passages of files. */
export type Source = 'memories' | 'passages';

interface LoadQuery {
  userId: string;
  agentId: string;
  /** Only memories of this session. */
  onlySession: string | null;
  /** The embedding space (model and length) of the vectors to load; null for none. Vectors of other spaces are never read. */
  space: string | null;
}

/** No id is greater than this. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The place after the last row of a version. */
export const afterVersion = (version: number): Position => ({ version, id: LAST_ID });

/** Above this many memories a full load is slow; the newest of them load in a third of a second. */
const LARGE = 6_000;
const NEWEST = 4_000;

/** Where the newest rows of a source begin; undefined when there are few enough to load all. */
export async function findNewest(
  db: Db,
  source: Source,
  { userId, agentId }: Pick<LoadQuery, 'userId' | 'agentId'>,
): Promise<Position | undefined> {
  const table = { memories, passages: filePassages }[source];
  const at = (offset: number) =>
    withoutSorting(db, (tx) =>
      tx
        .select({ version: table.version, id: table.id })
        .from(table)
        .where(and(eq(table.userId, userId), eq(table.agentId, agentId)))
        .orderBy(desc(table.version), desc(table.id))
        .offset(offset)
        .limit(1),
    );
  const [isLarge] = await at(LARGE);
  return isLarge && (await at(NEWEST))[0];
}

const prepared = new WeakMap<Db, Map<string, ReturnType<typeof prepareChanges>>>();

/**
 * Rows that were stored or forgotten after a place, in storage order, one portion at a time. They come packed, because reading a value per
 * column, or JSON, takes several times as long. `next` is where the next portion begins; undefined after the last one.
 */
export async function findChanges(db: Db, source: Source, wanted: LoadQuery, after: Position) {
  const statements = prepared.get(db) ?? new Map<string, ReturnType<typeof prepareChanges>>();
  prepared.set(db, statements);
  const key = `${source} ${wanted.space !== null}`;
  const statement = statements.get(key) ?? prepareChanges(db, source, wanted.space !== null);
  statements.set(key, statement);
  const [batch] = await statement.execute({ ...wanted, ...after });
  const packed = batch?.packed ?? '';
  return { packed, next: batch?.size === PORTION ? lastPosition(packed) : undefined };
}

function prepareChanges(db: Db, source: Source, vectors: boolean) {
  const changes = { memories: memoriesAfter, passages: passagesAfter }[source](db, vectors).as('changes');
  return db
    .select({
      // A sorted subquery: sorting again within the aggregate takes as long as reading.
      packed: sql<string | null>`string_agg(${changes.packed}, chr(${sql.raw(String(ROW_END))}))`,
      size: sql<number>`count(*)::int`,
    })
    .from(changes)
    .prepare(`memory_changes_${source}_${vectors}`);
}

const [userId, agentId] = [sql.placeholder('userId'), sql.placeholder('agentId')];
const fieldEnd = sql`chr(${sql.raw(String(FIELD_END))})`;
const isAfter = (version: AnyColumn, id: AnyColumn) =>
  sql`(${version}, ${id}) > (${sql.placeholder('version')}::bigint, ${sql.placeholder('id')}::uuid)`;

/** A text as a field of a packed row; separators in it become spaces. */
const asField = (text: AnyColumn) =>
  sql`replace(replace(coalesce(${text}, ''), ${fieldEnd}, ' '), chr(${sql.raw(String(ROW_END))}), ' ')`;
const pack = (fields: SQL[]) => sql.join(fields, sql` || ${fieldEnd} || `).mapWith(String).as('packed');

function memoriesAfter(db: Db, vectors: boolean) {
  const m = memories;
  const vector = sql`coalesce((select encode(v.vector, 'base64') from ${memoryVectors} v
    where v.user_id = ${m.userId} and v.memory_id = ${m.id} and v.space = ${sql.placeholder('space')}), '')`;
  const onlySession = sql.placeholder('onlySession');
  return db
    .select({
      packed: pack([
        sql`${m.id}`,
        sql`${m.version}`,
        sql`${m.sessionId}`,
        sql`${m.kind}`,
        asField(m.speaker),
        milliseconds(m.createdAt),
        sql`(${m.forgottenAt} is not null)`,
        vectors ? vector : sql`''`,
        asField(m.text),
      ]),
    })
    .from(m)
    .where(
      and(
        eq(m.userId, userId),
        eq(m.agentId, agentId),
        isAfter(m.version, m.id),
        sql`(${onlySession}::uuid is null or ${m.sessionId} = ${onlySession}::uuid)`,
      ),
    )
    .orderBy(m.version, m.id)
    .limit(PORTION);
}

/** A file takes the place of a session, so its passages are neighbours of each other. */
function passagesAfter(db: Db, vectors: boolean) {
  const p = filePassages;
  const vector = sql`coalesce((select encode(v.vector, 'base64') from ${passageVectors} v
    where v.user_id = ${p.userId} and v.passage_id = ${p.id} and v.space = ${sql.placeholder('space')}), '')`;
  return db
    .select({
      packed: pack([
        sql`${p.id}`,
        sql`${p.version}`,
        sql`${p.fileId}`,
        sql`'file'`,
        sql`''`,
        milliseconds(p.createdAt),
        // Deleted passages have no row, so a passage is never a tombstone.
        sql`false`,
        vectors ? vector : sql`''`,
        asField(p.text),
      ]),
    })
    .from(p)
    .where(and(eq(p.userId, userId), eq(p.agentId, agentId), isAfter(p.version, p.id)))
    .orderBy(p.version, p.id)
    .limit(PORTION);
}
