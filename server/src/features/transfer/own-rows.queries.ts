import { setImmediate } from 'node:timers/promises';
import { and, asc, eq, getTableColumns, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/database/database.ts';
import { withoutSorting } from '../../platform/database/find-in-order.ts';
import { prepareOnce } from '../../platform/database/prepared.ts';
import { agents } from '../agents/agents.table.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { facts } from '../facts/facts.table.ts';
import { agentFiles } from '../files/files.table.ts';
import { memories } from '../memory/memory.table.ts';
import { summaries, tasks, toolGrants, toolMedia } from '../runs/runs.table.ts';
import { OWN_TABLES, type OwnTable } from './own-tables.table.ts';

export const PAGE = 100;

const countStatement = prepareOnce((db) => {
  const counts = OWN_TABLES.map(({ file, table, owner }) => {
    const some = sql`(select from ${table} where ${eq(owner, sql.placeholder('uid'))} limit ${sql.raw(`${PAGE}`)})`;
    return [file, sql<number>`(select count(*)::int from ${some} page)`];
  });
  return db
    .select(Object.fromEntries(counts) as Record<string, SQL<number>>)
    .from(sql`(values (1)) one`)
    .prepare('own_counts');
});

/** How many rows a person has for each file of the archive, up to a page. To ask every table, most of them empty, takes far longer. */
export async function countRows(db: Db, uid: string): Promise<Record<string, number>> {
  const [counts = {}] = await countStatement(db).execute({ uid });
  return counts;
}

const wholeStatements = new Map(
  OWN_TABLES.map((own) => [
    own,
    prepareOnce((db) =>
      db
        .select(columnsOf(own))
        .from(own.table)
        .where(eq(own.owner, sql.placeholder('uid')))
        .orderBy(...keyOf(own).map((column) => asc(column)))
        .prepare(`own_${own.file}`),
    ),
  ]),
);

/** One person's rows as `ownRows` gives them, in one statement: where they are less than a page. */
export const fewRows = async (db: Db, own: OwnTable, uid: string): Promise<Record<string, unknown>[]> =>
  (await wholeStatements.get(own)?.(db).execute({ uid })) ?? [];

/**
 * One person's rows, all or some, in the order of their key, without secrets; read in pages, so no statement is long. A page begins in the key's own
 * index where the last one ended: comparing as text, each page would read and sort everything again.
 */
export async function* ownRows(
  db: Db,
  own: OwnTable,
  uid: string,
  only?: SQL,
): AsyncGenerator<Record<string, unknown>> {
  const key = keyOf(own);
  const mark = Object.fromEntries(key.map((column, index) => [`key${index}`, column]));
  let after: SQL | undefined;
  for (;;) {
    const page = (tx: Db) =>
      tx
        .select({ row: columnsOf(own), ...(key.length === 0 ? {} : { mark }) })
        .from(own.table)
        .where(and(eq(own.owner, uid), only, after))
        .orderBy(...key.map((column) => asc(column)))
        .limit(PAGE);
    const rows = await (isByOwner(own) ? withoutSorting(db, page) : page(db));
    // The embedded database never yields the thread by itself; others wait for it too.
    await setImmediate();
    for (const { row } of rows) yield row;
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined || key.length === 0) return;
    const values = key.map((column, index) => sql.param(Reflect.get(last.mark ?? {}, `key${index}`), column));
    after = sql`(${sql.join(key, sql`, `)}) > (${sql.join(values, sql`, `)})`;
  }
}

const columnsOf = ({ table, without }: OwnTable) =>
  Object.fromEntries(Object.entries(getTableColumns(table)).filter(([name]) => !without.includes(name)));

/** Whether the primary key begins with the owner: then its index has one person's rows side by side, in order. */
const isByOwner = ({ table, owner }: OwnTable) => getTableConfig(table).primaryKeys[0]?.columns[0]?.name === owner.name;

/** What distinguishes a person's rows: the primary key without its owner; empty for one row per person. */
function keyOf({ table, owner }: OwnTable): PgColumn[] {
  const config = getTableConfig(table);
  const columns = config.primaryKeys[0]?.columns ?? config.columns.filter((column) => column.primary);
  return columns.filter((column) => column.name !== owner.name);
}

/** A person's agents that are not deleted, read one page after another. */
export async function* livingAgents(db: Db, uid: string) {
  for (let after: SQL | undefined; ; ) {
    const rows = await db
      .select()
      .from(agents)
      .where(and(eq(agents.userId, uid), isNull(agents.deletedAt), after))
      .orderBy(asc(agents.id))
      .limit(PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = gt(agents.id, last.id);
  }
}

/** A person's stored files, including those whose deletion can still be undone, or the pictures and files of messages. */
export function storedUploads(db: Db, uid: string, kind: 'files' | 'attachments') {
  const table = kind === 'files' ? agentFiles : attachments;
  return db
    .select({ id: table.id, name: table.name, key: table.key, size: table.size })
    .from(table)
    .where(eq(table.userId, uid))
    .orderBy(asc(table.id));
}

/** What tools answered as pictures, sounds and files, without the bytes. */
export const storedToolFiles = (db: Db, uid: string) =>
  db
    .select({ id: toolMedia.id, taskId: toolMedia.taskId, type: toolMedia.type })
    .from(toolMedia)
    .where(eq(toolMedia.userId, uid))
    .orderBy(asc(toolMedia.id));

/** The bytes of one of these; none when it was deleted meanwhile. */
export async function toolFileBytes(db: Db, uid: string, { taskId, id }: { taskId: string; id: string }) {
  const same = and(eq(toolMedia.userId, uid), eq(toolMedia.taskId, taskId), eq(toolMedia.id, id));
  const [row] = await db.select({ bytes: toolMedia.bytes }).from(toolMedia).where(same);
  return new Uint8Array(row?.bytes ?? []);
}

/** What the account's archive has of one session, beside its exchanges: a list of rows for each name. */
export function sessionRows(db: Db, uid: string, sessionId: string) {
  const idsIn = (table: typeof tasks | typeof memories) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.userId, uid), eq(table.sessionId, sessionId)));
  const parts: [name: string, table: PgTable, only: SQL][] = [
    ['summaries', summaries, eq(summaries.sessionId, sessionId)],
    ['memories', memories, eq(memories.sessionId, sessionId)],
    ['facts', facts, inArray(facts.memoryId, idsIn(memories))],
    ['toolFiles', toolMedia, inArray(toolMedia.taskId, idsIn(tasks))],
    ['toolGrants', toolGrants, eq(toolGrants.sessionId, sessionId)],
  ];
  return parts.flatMap(([name, table, only]) =>
    OWN_TABLES.filter((own) => own.table === table).map((own) => ({ name, rows: ownRows(db, own, uid, only) })),
  );
}
