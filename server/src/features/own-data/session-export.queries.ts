import { and, eq, inArray, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/database/database.ts';
import { facts } from '../facts/facts.table.ts';
import { memories } from '../memory/memory.table.ts';
import { tasks, toolGrants, toolMedia } from '../runs/runs.table.ts';
import { summaries } from '../runs/summary.table.ts';
import { ownRows } from './own-rows.queries.ts';
import { OWN_TABLES } from './own-tables.queries.ts';

/** What the account's archive has of one session, beside its exchanges: a list of rows for each name. */
export function sessionRows(db: Db, uid: string, sessionId: string) {
  const ofSession = db
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(eq(tasks.userId, uid), eq(tasks.sessionId, sessionId)));
  const saidHere = db
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.userId, uid), eq(memories.sessionId, sessionId)));
  const rows = (name: string, table: PgTable, only: SQL) => {
    const own = OWN_TABLES.find((one) => one.table === table);
    return own === undefined ? [] : [{ name, rows: ownRows(db, own, uid, only) }];
  };
  return [
    ...rows('summaries', summaries, eq(summaries.sessionId, sessionId)),
    ...rows('memories', memories, eq(memories.sessionId, sessionId)),
    ...rows('facts', facts, inArray(facts.memoryId, saidHere)),
    ...rows('toolFiles', toolMedia, inArray(toolMedia.taskId, ofSession)),
    ...rows('toolGrants', toolGrants, eq(toolGrants.sessionId, sessionId)),
  ];
}
