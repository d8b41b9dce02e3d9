import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import type { NewJob } from '../../platform/jobs/jobs.ts';
import { embedJobs } from '../memory/embed.service.ts';
import { sameFile } from './files.queries.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';

/** Files with pictures of text take minutes and have a lane of their own, so that no other file waits for them. */
export const LANES = ['texts', 'pictures'] as const;
export type Lane = (typeof LANES)[number];

/** The queues that read the text of files, by lane. */
export const QUEUES: Record<Lane, string> = { texts: 'files.read', pictures: 'files.recognize' };
export const laneOf = ({ pictures }: Pick<AgentFileRow, 'pictures'>): Lane => (pictures ? 'pictures' : 'texts');

/** A reader gives a sign of life at least this often. */
const HELD_SECONDS = 120;
/** How often a page learns how far a reader is. */
const PROGRESS_MS = 1_000;

const heldUntil = sql`now() + make_interval(secs => ${HELD_SECONDS})`;

/** Takes a lane's next file, of the account served longest ago among those with none being read; undefined without one. Skips `tried`. */
export async function takeNextFile(
  ctx: Pick<Deps, 'db'>,
  tried: string[],
  lane: Lane = 'texts',
): Promise<AgentFileRow | undefined> {
  return ctx.db.transaction(async (tx) => {
    // One at a time, or two readers would take two files of one account.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('files.take'))`);
    const [file] = await tx
      .update(agentFiles)
      .set({ readingUntil: heldUntil, readAt: sql`now()`, readings: sql`${agentFiles.readings} + 1` })
      .where(sql`(${agentFiles.userId}, ${agentFiles.id}) = (${nextFile(tried, lane === 'pictures')})`)
      .returning();
    return file;
  });
}

function nextFile(tried: string[], pictures: boolean): SQL {
  return sql`
    select waiting.user_id, waiting.id
    from (
      select distinct on (user_id) user_id, id, created_at from agent_files
      where state = 'reading' and pictures = ${pictures} and deleted_at is null and (reading_until is null or reading_until < now())
        and id <> all(${`{${tried.join(',')}}`}::uuid[])
      order by user_id, created_at, id
    ) waiting
    left join lateral (
      select max(read_at) as at, max(reading_until) as until from agent_files read
      where read.user_id = waiting.user_id and read.pictures = ${pictures}
    ) last on true
    where last.until is null or last.until < now()
    order by last.at nulls first, waiting.created_at, waiting.id
    limit 1`;
}

/** Whether a file of a lane is due. */
export async function isWaiting(ctx: Pick<Deps, 'db'>, lane: Lane): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: agentFiles.id })
    .from(agentFiles)
    .where(sql`(${agentFiles.userId}, ${agentFiles.id}) = (${nextFile([], lane === 'pictures')})`);
  return rows.length > 0;
}

type Change = Partial<typeof agentFiles.$inferInsert>;

/** Changes a file while this reading of it is current, as a sign of life by default. False when another reader took it, or it is deleted. */
export async function changeReading(db: Db, file: AgentFileRow, change: Change): Promise<boolean> {
  const isOurs = and(
    sameFile(file),
    eq(agentFiles.state, 'reading'),
    eq(agentFiles.readings, file.readings),
    isNull(agentFiles.deletedAt),
  );
  const set = { readingUntil: heldUntil, ...change };
  return (await db.update(agentFiles).set(set).where(isOurs).returning({ id: agentFiles.id })).length > 0;
}

/** Stores how far a reader is, for open pages. The file counts, not its progress: errors are only logged. */
export function tellProgress(ctx: Deps, file: AgentFileRow) {
  let [last, storing] = [0, Promise.resolve()];
  const store = (progress: string) =>
    ctx.db.transaction(async (tx) => {
      await changeReading(tx, file, { progress });
      await ctx.live.notify(tx, file.userId, 'files', file.agentId);
    });
  return {
    tell(progress: string) {
      if (Date.now() - last < PROGRESS_MS) return;
      last = Date.now();
      storing = storing.then(() => store(progress)).catch((error: unknown) => ctx.log.error('files.progress', error));
    },
    stored: () => storing,
  };
}

/** Stores what became of a reading, and sends the jobs that follow. */
const endReading = (ctx: Deps, file: AgentFileRow, change: Change, jobs: NewJob[] = []): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    await changeReading(tx, file, { readingUntil: null, progress: null, ...change });
    await ctx.jobs.sendAll(tx, jobs);
    await ctx.live.notify(tx, file.userId, 'files', file.agentId);
  });

/** A file that was read is searchable from now on. */
export const finishRead = (ctx: Deps, file: AgentFileRow, note: string | null): Promise<void> =>
  endReading(ctx, file, { state: 'ready', note }, embedJobs(ctx, file));

/** A file that can't be read says why. */
export const failRead = (ctx: Deps, file: AgentFileRow, error: string): Promise<void> =>
  endReading(ctx, file, { state: 'failed', error });

/** The file waits for the reader that recognizes text in pictures; its readings begin again. */
export const leaveToRecognition = (ctx: Deps, file: AgentFileRow): Promise<void> =>
  endReading(ctx, file, { pictures: true, progress: 'waiting for text recognition', readings: 0 }, [
    { queue: QUEUES.pictures, data: {} },
  ]);

/** No reader died, so the attempt doesn't count. */
export const putBack = (ctx: Pick<Deps, 'db'>, file: AgentFileRow): Promise<boolean> =>
  changeReading(ctx.db, file, { readingUntil: null, readings: file.readings - 1 });

/** Releases a file, whatever became of it. */
export const letGo = (ctx: Pick<Deps, 'db'>, file: AgentFileRow) =>
  ctx.db
    .update(agentFiles)
    .set({ readingUntil: null })
    .where(and(sameFile(file), eq(agentFiles.readings, file.readings)));
