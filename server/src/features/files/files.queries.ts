import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, type SQL, sql, sum } from 'drizzle-orm';
import { LEAVING } from '../../platform/database/columns.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { behind } from '../../platform/database/keyset.ts';
import { someOf } from '../../platform/database/portions.ts';
import type { Position } from '../../platform/http/cursor.ts';
import { attachments } from '../attachments/attachments.table.ts';
import { agentFiles, filePassages } from './files.table.ts';

interface FileKey {
  userId: string;
  id: string;
}

/** What is stored of an upload: in an agent's library, or for a message. */
export interface Upload extends FileKey {
  key: string;
  /** Of a file in a library. */
  agentId?: string;
}

export type UploadTable = typeof agentFiles | typeof attachments;

/** The table of an agent's files, or of attachments. */
export const tableOf = (upload: { agentId?: string }): UploadTable =>
  upload.agentId === undefined ? attachments : agentFiles;

type Unstored<Row> = Omit<Row, 'key' | 'state'>;
/** An upload whose bytes are still to be stored. */
export type NewUpload =
  | Unstored<typeof agentFiles.$inferInsert>
  | (Unstored<typeof attachments.$inferInsert> & { agentId?: never });

/** Adds an upload's row. */
export const insertUpload = (tx: Tx, upload: NewUpload & { key: string }): PromiseLike<unknown> =>
  upload.agentId === undefined
    ? tx.insert(attachments).values({ ...upload, state: 'uploading' })
    : tx.insert(agentFiles).values({ ...upload, state: 'uploading' });

/** The row of an upload. */
export const sameUpload = (table: UploadTable, { userId, id }: FileKey) =>
  and(eq(table.userId, userId), eq(table.id, id));

/** The row of an agent's file. */
export const sameFile = (file: FileKey) => sameUpload(agentFiles, file);

/** The tables of uploads. */
export const UPLOADS = [agentFiles, attachments] as const;
/** How many uploads are looked up at once. */
export const PORTION = 100;

/** Uploads of anyone by id, after one of them. */
export async function findUploads(
  db: Db,
  table: UploadTable,
  which: SQL | undefined,
  after?: string,
): Promise<Upload[]> {
  const { userId, id, key } = table;
  const rows = await db
    .select({ userId, id, key, agentId: sql<string | null>`${table === agentFiles ? agentFiles.agentId : sql`null`}` })
    .from(table)
    .where(and(which, after === undefined ? undefined : gt(id, after)))
    .orderBy(id)
    .limit(PORTION);
  return rows.map(({ agentId, ...upload }) => (agentId === null ? upload : { ...upload, agentId }));
}

/** Uploads whose bytes never reached the storage. No attachment of them was sent, which an index knows. */
export const isStuck = (table: UploadTable, minutes: number) =>
  and(
    eq(table.state, 'uploading'),
    lt(table.createdAt, sql`now() - make_interval(mins => ${minutes})`),
    table === attachments ? isNull(attachments.sentAt) : undefined,
  );

/** Hides uploads that match, at most so many, and returns them. */
export const hideUploads = (db: Db, table: UploadTable, which: SQL | undefined, size?: number) => {
  const shown = and(which, isNull(table.deletedAt));
  return db
    .update(table)
    .set({ deletedAt: sql`now()` })
    .where(size === undefined ? shown : someOf(table, shown, size))
    .returning({ userId: table.userId, id: table.id, key: table.key });
};

// The page offers undo of a deleted file for 5 s; a slow network gets as much again.
export const UNDO_SECONDS = 10;

/** Uploads that are deleted for good: nobody can take it back any more. */
export const isDeleted = (table: UploadTable) =>
  and(
    isNotNull(table.deletedAt),
    lte(table.deletedAt, sql`now() - make_interval(secs => ${table === agentFiles ? UNDO_SECONDS - 1 : 0})`),
  );

/** Begins to remove an upload that is deleted for good; false when it is gone or was restored. From then on nobody can restore it. */
export async function beginRemoval(db: Db, table: UploadTable, upload: FileKey): Promise<boolean> {
  const isOne = and(sameUpload(table, upload), isDeleted(table));
  const rows = await db.update(table).set({ deletedAt: LEAVING }).where(isOne).returning({ id: table.id });
  return rows.length > 0;
}

/** The files of an agent that are not deleted. */
const isOf = ({ userId, id }: FileKey) =>
  and(eq(agentFiles.userId, userId), eq(agentFiles.agentId, id), isNull(agentFiles.deletedAt));

/** An agent's files that are not deleted, newest first. */
export const findFiles = (db: Db, agent: { userId: string; id: string }, after: Position | undefined, limit: number) =>
  db
    .select()
    .from(agentFiles)
    .where(and(isOf(agent), behind(agentFiles.createdAt, agentFiles.id, after)))
    .orderBy(desc(agentFiles.createdAt), desc(agentFiles.id))
    .limit(limit);

/** One file, deleted or not. */
export const findFile = (db: Db, file: FileKey) => db.select().from(agentFiles).where(sameFile(file));

/** A file's text in order, between two positions. */
export const findPassages = (db: Db, { userId, id }: FileKey, from: number, to: number) =>
  db
    .select({ id: filePassages.id, place: filePassages.place, text: filePassages.text })
    .from(filePassages)
    .where(
      and(
        eq(filePassages.userId, userId),
        eq(filePassages.fileId, id),
        gte(filePassages.position, from),
        lt(filePassages.position, to),
      ),
    )
    .orderBy(asc(filePassages.position));

/** The bytes of all of a user's files and attachments, including deleted ones that are still on disk. */
export async function bytesOf(db: Db, userId: string): Promise<number> {
  const of = (table: UploadTable) =>
    db
      .select({ bytes: sum(table.size) })
      .from(table)
      .where(eq(table.userId, userId));
  const [[files], [sent]] = [await of(agentFiles), await of(attachments)];
  return Number(files?.bytes ?? 0) + Number(sent?.bytes ?? 0);
}

/** An agent's pictures among these files. */
export const findPictures = (db: Db, agent: { userId: string; id: string }, ids: readonly string[]) =>
  db
    .select()
    .from(agentFiles)
    .where(
      and(isOf(agent), inArray(agentFiles.id, [...ids]), eq(agentFiles.kind, 'picture'), eq(agentFiles.state, 'ready')),
    );
