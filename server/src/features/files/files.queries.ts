import { and, asc, desc, eq, gte, inArray, isNull, lt, sql, sum } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/database/database.ts';
import { behind } from '../../platform/database/keyset.ts';
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

/** The table of an agent's files, or of attachments. */
export const tableOf = (upload: { agentId?: string }): typeof agentFiles | typeof attachments =>
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
export const sameUpload = (table: typeof agentFiles | typeof attachments, { userId, id }: FileKey) =>
  and(eq(table.userId, userId), eq(table.id, id));

/** The row of an agent's file. */
export const sameFile = (file: FileKey) => sameUpload(agentFiles, file);

const uploadKey = <T extends typeof agentFiles | typeof attachments>({ userId, id, key }: T) => ({ userId, id, key });

/** Both kinds of uploads whose bytes never reached the storage. */
export async function findStuckUploads(db: Db, minutes: number): Promise<Upload[]> {
  const of = <T extends typeof agentFiles | typeof attachments>(table: T) =>
    and(eq(table.state, 'uploading'), lt(table.createdAt, sql`now() - make_interval(mins => ${minutes})`));
  const [files, sent] = [
    await db
      .select({ ...uploadKey(agentFiles), agentId: agentFiles.agentId })
      .from(agentFiles)
      .where(of(agentFiles))
      .limit(100),
    // None of them was sent, which an index knows.
    await db
      .select(uploadKey(attachments))
      .from(attachments)
      .where(and(of(attachments), isNull(attachments.sentAt)))
      .limit(100),
  ];
  return [...files, ...sent];
}

/** An agent's files that are not deleted, newest first. */
export const findFiles = (db: Db, agent: { userId: string; id: string }, after: Position | undefined, limit: number) =>
  db
    .select()
    .from(agentFiles)
    .where(
      and(
        eq(agentFiles.userId, agent.userId),
        eq(agentFiles.agentId, agent.id),
        isNull(agentFiles.deletedAt),
        behind(agentFiles.createdAt, agentFiles.id, after),
      ),
    )
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
  const of = (table: typeof agentFiles | typeof attachments) =>
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
      and(
        eq(agentFiles.userId, agent.userId),
        eq(agentFiles.agentId, agent.id),
        inArray(agentFiles.id, [...ids]),
        eq(agentFiles.kind, 'picture'),
        eq(agentFiles.state, 'ready'),
        isNull(agentFiles.deletedAt),
      ),
    );
