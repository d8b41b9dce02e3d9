import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { sameFile } from './files.queries.ts';
import { type AgentFileRow, agentFiles } from './files.table.ts';
import type { Lane } from './reading-lanes.ts';

/** A reader gives a sign of life at least this often. */
const HELD_SECONDS = 120;

export const heldUntil = sql`now() + make_interval(secs => ${HELD_SECONDS})`;

/**
 * Takes the next file of a lane: of the accounts that have none being read there, the one served longest ago. Undefined when no file is due.
 * Skips files in `tried`.
 */
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
  const found = await ctx.db
    .select({ id: agentFiles.id })
    .from(agentFiles)
    .where(sql`(${agentFiles.userId}, ${agentFiles.id}) = (${nextFile([], lane === 'pictures')})`);
  return found.length > 0;
}

/** Releases a file, whatever became of it. */
export const letGo = (ctx: Pick<Deps, 'db'>, file: AgentFileRow) =>
  ctx.db
    .update(agentFiles)
    .set({ readingUntil: null })
    .where(and(sameFile(file), eq(agentFiles.readings, file.readings)));
