import { setImmediate } from 'node:timers/promises';
import { type MemoriesQuery, type Memory, type MemoryUpdate, PINNED_MAX } from '@atelier/contract/memory';
import { and, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { distilJobs } from './distil-jobs.service.ts';
import { embedJobs } from './embed.service.ts';
import { listMemories } from './list.service.ts';
import { findAnswersAbout, findMemoriesByIds, findMemory, findShapes, type ManagedRow } from './manage.queries.ts';
import { type AgentKey, currentVersion, raiseVersion } from './memory.queries.ts';
import { memories, memoryVectors } from './memory.table.ts';
import { repeatsText } from './merge-recalled.ts';
import { blankAllReceipts, blankReceipts, findFactIds } from './receipts.queries.ts';

type MemoryRow = typeof memories.$inferSelect;

/** A memory for the API: with its agent's address, never hidden keys. */
export function toMemory({ memory, agentSlug, agentName, sessionName, taskId }: ManagedRow): Memory {
  return {
    id: memory.id,
    agentId: agentSlug,
    agentName,
    kind: memory.kind,
    text: memory.text,
    timestamp: memory.createdAt.toISOString(),
    sessionId: memory.sessionId,
    sessionName,
    ...(taskId === null ? {} : { taskId }),
    pinned: memory.pinned,
    edited: memory.originId !== null,
  };
}

const EXPORT_PAGE = 200;

/** All memories that match a query, as one JSON document, written as it is read. */
export function exportMemories(ctx: Deps, caller: Caller, query: MemoriesQuery): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let cursor: string | null | undefined;
  return new ReadableStream({
    async pull(controller) {
      // The embedded database never yields the thread by itself; others wait for it too.
      await setImmediate();
      const first = cursor === undefined;
      const batch = await listMemories(ctx, caller, { ...query, limit: EXPORT_PAGE, cursor: cursor ?? undefined });
      const lines = batch.rows.map(({ row }) => JSON.stringify(toMemory(row)));
      const start = first ? '{"memories": [\n' : lines.length > 0 ? ',\n' : '';
      cursor = batch.nextCursor;
      controller.enqueue(encoder.encode(`${start}${lines.join(',\n')}${cursor === null ? '\n]}\n' : ''}`));
      if (cursor === null) controller.close();
    },
  });
}

/** The caller's memory, or 404. */
export async function getMemory(ctx: Pick<Deps, 'db'>, caller: Caller, id: string): Promise<Authorized<MemoryRow>> {
  return owned(caller.uid, (await requireMemory(ctx, caller, id)).memory, 'This memory');
}

/** The caller's memory for the API: its whole text, of which a receipt may have only some sentences. Or 404. */
export async function showMemory(ctx: Pick<Deps, 'db'>, caller: Caller, id: string): Promise<Memory> {
  return toMemory(await requireMemory(ctx, caller, id));
}

async function requireMemory(ctx: Pick<Deps, 'db'>, caller: Caller, id: string): Promise<ManagedRow> {
  const [row] = isUuid(id) ? await findMemory(ctx.db, caller.uid, id) : [];
  if (row === undefined) throw notFound('This memory');
  return row;
}

/** The caller's memories among these ids, newest first. */
export async function findOwnMemories(ctx: Pick<Deps, 'db'>, caller: Caller, ids: string[]): Promise<Memory[]> {
  return (await findMemoriesByIds(ctx.db, caller.uid, ids)).map(toMemory);
}

/** Pins or unpins a memory, or replaces its text. A replaced text is a new memory in the old one's place. */
export async function updateMemory(ctx: Deps, caller: Caller, memory: Authorized<MemoryRow>, change: MemoryUpdate) {
  const text = change.text?.trim();
  const id = text === undefined || text === memory.text ? memory.id : uuidv7();
  await ctx.db.transaction(async (tx) => {
    const version = await raiseVersion(tx, memory);
    if (change.pinned === true && !memory.pinned) await checkPinned(tx, memory);
    const where = and(eq(memories.userId, memory.userId), eq(memories.id, memory.id), isNull(memories.forgottenAt));
    // Where nothing is said of the pin, it stays as it is by now.
    const pinned = change.pinned ?? sql`${memories.pinned}`;
    const set = id === memory.id ? { pinned } : { pinned, text: '', forgottenAt: sql`now()`, version };
    const [written] = await tx.update(memories).set(set).where(where).returning();
    // Meanwhile it was forgotten, or edited in another tab.
    if (written === undefined)
      throw new AppError('conflict', 'This memory has changed in the meantime. Please take another look.');
    if (id !== memory.id) {
      const originId = memory.originId ?? memory.id;
      await tx.delete(memoryVectors).where(vectorOf(memory));
      await tx.insert(memories).values({ ...written, id, text: text ?? '', forgottenAt: null, originId });
      const isOwn = memory.kind === 'person' && memory.speaker === null;
      const distil = isOwn ? distilJobs(ctx, { ...memory, text: text ?? '' }) : [];
      await ctx.jobs.sendAll(tx, [...embedJobs(ctx, memory), ...distil]);
    }
    await ctx.live.notify(tx, caller.uid, 'memories', id);
  });
  return requireMemory(ctx, caller, id);
}

const vectorOf = ({ userId, id }: MemoryRow) => and(eq(memoryVectors.userId, userId), eq(memoryVectors.memoryId, id));

async function checkPinned(tx: Tx, { userId, agentId }: MemoryRow) {
  const ofAgent = and(eq(memories.userId, userId), eq(memories.agentId, agentId));
  if ((await tx.$count(memories, and(ofAgent, memories.pinned, isNull(memories.forgottenAt)))) >= PINNED_MAX) {
    throw new AppError('conflict', `At most ${PINNED_MAX} memories of an agent can be pinned. Unpin one first.`);
  }
}

/**
 * Forgets the caller's memories for good: removes their words from rows, index, search and receipts, together with their earlier versions
 * and the agent's memories of repeating them. Ignores ids of others. Returns how many were forgotten.
 */
export async function forgetMemories(ctx: Deps, caller: Pick<Caller, 'uid'>, ids: string[]): Promise<number> {
  const own = and(eq(memories.userId, caller.uid), inArray(memories.id, ids), isNull(memories.forgottenAt));
  const owners = await ctx.db.selectDistinct({ agentId: memories.agentId }).from(memories).where(own);
  const agentIds = owners.map((row) => row.agentId).toSorted();
  const before = new Map<string, { version: number; done: Set<string> }>();
  // Before the transaction, and in it once more: what is stored meanwhile is little.
  for (const agentId of agentIds) {
    const agent = { userId: caller.uid, agentId };
    const version = await currentVersion(ctx.db, agent);
    const selection = await selectMemories(ctx.db, agent, own);
    await noteForgotten(ctx, caller.uid, selection);
    await forgetEchoes(ctx, agent, selection);
    before.set(agentId, { version, done: await blankAllReceipts(ctx, await tracesOf(ctx.db, agent, selection)) });
  }
  return ctx.db.transaction(async (tx) => {
    let count = 0;
    // Lock the agent's row first, as every write to memories does, and always in the same order.
    for (const [agentId, { version, done }] of before) {
      const agent = { userId: caller.uid, agentId };
      const raised = await raiseVersion(tx, agent);
      const selection = await selectMemories(tx, agent, own);
      const statements = await findStatements(tx, agent, selection);
      const echoes = await findAnswersAbout(tx, agent, statements, gt(memories.version, version));
      const going = [...selection, ...echoes.filter(repeatsAny(selection))];
      await forget(ctx, tx, agent, { going, done, version: raised });
      count += selection.length;
    }
    return count;
  });
}

/** Notes memories in each wording that they had: an earlier backup has an earlier one. */
async function noteForgotten(ctx: Deps, userId: string, selection: readonly Going[]): Promise<void> {
  await noteDeletion(ctx, { kind: 'memory', userId, ids: await findShapes(ctx.db, userId, selection) });
}

/** How many answers are compared, and forgotten, at once. */
const ANSWERS = 50;

/** Forgets the answers that repeat memories, in portions: they would bring forgotten words back, and there may be thousands. */
async function forgetEchoes(ctx: Deps, agent: AgentKey, selection: readonly MemoryRow[]): Promise<void> {
  const statements = await findStatements(ctx.db, agent, selection);
  for (let last: string | undefined; ; ) {
    const some = last === undefined ? sql`true` : gt(memories.id, last);
    const answers = await findAnswersAbout(ctx.db, agent, statements, some).limit(ANSWERS);
    last = answers.at(-1)?.id;
    if (last === undefined) return;
    // Those that are asked for themselves are counted later.
    const going = answers.filter(({ id }) => !selection.some((row) => row.id === id)).filter(repeatsAny(selection));
    if (going.length === 0) continue;
    const done = await blankAllReceipts(ctx, await tracesOf(ctx.db, agent, going));
    await ctx.db.transaction(async (tx) =>
      forget(ctx, tx, agent, { going, done, version: await raiseVersion(tx, agent) }),
    );
  }
}

/** Forgets memories of an agent; their receipts, but for what was stored since, are in `done`. */
async function forget(
  ctx: Deps,
  tx: Tx,
  agent: AgentKey,
  { going, done, version }: { going: readonly Going[]; done: Set<string>; version: number },
): Promise<void> {
  if (going.length === 0) return;
  const ids = going.map(({ id }) => id);
  await tx
    .update(memories)
    .set({ text: '', speaker: null, pinned: false, forgottenAt: sql`now()`, version })
    .where(and(eq(memories.userId, agent.userId), inArray(memories.id, ids)));
  await tx
    .delete(memoryVectors)
    .where(and(eq(memoryVectors.userId, agent.userId), inArray(memoryVectors.memoryId, ids)));
  await blankReceipts(ctx, tx, await tracesOf(tx, agent, going), done);
  await ctx.live.notify(tx, agent.userId, 'memories', agent.userId);
}

type Going = Pick<MemoryRow, 'id' | 'originId'>;

const selectMemories = (db: Db, agent: AgentKey, own: SQL | undefined): Promise<MemoryRow[]> =>
  db
    .select()
    .from(memories)
    .where(and(own, eq(memories.agentId, agent.agentId)));

const isStatementOfPerson = ({ kind }: MemoryRow) => kind === 'person';

/** What a person said, in every shape that an answer may have been given, and where. */
async function findStatements(db: Db, agent: AgentKey, selection: readonly MemoryRow[]) {
  const statements = selection.filter(isStatementOfPerson);
  const { ids } = await tracesOf(db, agent, statements);
  return { ids, taskIds: statements.flatMap(({ taskId }) => taskId ?? []) };
}

const repeatsAny = (selection: readonly MemoryRow[]) => {
  const statements = selection.filter(isStatementOfPerson);
  return (answer: { text: string }) => statements.some(({ text }) => repeatsText(answer.text, text));
};

/** What to blank in receipts for memories: their earlier versions and facts, too. */
async function tracesOf(db: Db, agent: AgentKey, going: readonly Going[]) {
  const versions = await findShapes(db, agent.userId, going);
  return { ...agent, ids: [...versions, ...(await findFactIds(db, agent.userId, inArray(memories.id, versions)))] };
}
