import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { IMPORT_SENTENCES, importKind } from '@atelier/contract/imports';
import { and, eq } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { outageOf } from '../../platform/outage.ts';
import { incomingFolder } from '../files/incoming-uploads.service.ts';
import { embedJobs } from '../memory/embed.service.ts';
import { type Archive, asRefusal, openArchive, type RowKind } from './archive.ts';
import { sessionRow } from './archive-rows.ts';
import { importAgents } from './import-agents.service.ts';
import { importAttachments } from './import-attachments.service.ts';
import { linkBranches } from './import-branches.queries.ts';
import { importFacts, linkFacts } from './import-facts.queries.ts';
import { importFiles } from './import-files.service.ts';
import { importFolders } from './import-folders.queries.ts';
import type { AgentPlace, AgentPlaces } from './import-places.queries.ts';
import { Halted, openProgress, type Progress } from './import-progress.service.ts';
import { importPrompts } from './import-prompts.queries.ts';
import {
  type Destination,
  type Importer,
  importExchanges,
  importMemories,
  importSessions,
  importSummaries,
} from './import-rows.queries.ts';
import { IMPORT_QUEUE, type ImportKey, isImport, notifyImport } from './imports.service.ts';
import { accountImports } from './imports.table.ts';

const SESSIONS_LEFT =
  'Free accounts are limited to 3 sessions, so others were left out. With Pro, import the archive again to add them.';

/** Carries a running import on from where it is, to its end. Throws only while the database or the disk is away: then it is tried again. */
export async function runImport(ctx: Deps, key: ImportKey): Promise<void> {
  const [row] = await ctx.db.select().from(accountImports).where(isImport(key));
  if (row === undefined || row.state !== 'running') return;
  try {
    await withArchive(ctx, row.key, (archive) => carryOver(ctx, key, archive, openProgress(ctx, key, row)));
    const isDone = await finish(ctx, key, { state: 'done', key: null });
    if (isDone && row.key !== null) await ctx.storage.delete(row.key);
  } catch (error) {
    if (error instanceof Halted) return;
    if (outageOf(error) !== null) throw error;
    ctx.log.error('transfer.import', error, { importId: key.importId });
    const known = asRefusal(error);
    const why = known instanceof AppError ? known.message : IMPORT_SENTENCES.interrupted;
    await finish(ctx, key, { state: 'failed', error: why });
  }
}

/** After a start of the embedded server, whatever was running goes on. */
export async function resumeImports(ctx: Deps): Promise<void> {
  if (ctx.database.kind !== 'pglite') return;
  await ctx.db.transaction(async (tx) => {
    const running = await tx.select().from(accountImports).where(eq(accountImports.state, 'running'));
    const jobs = running.map(({ userId, id }) => ({ queue: IMPORT_QUEUE, data: { userId, importId: id } }));
    await ctx.jobs.sendAll(tx, jobs);
  });
}

type End = { state: 'done'; key: null } | { state: 'failed'; error: string };

/** Ends a running import; false when it was stopped meanwhile. */
async function finish(ctx: Deps, key: ImportKey, end: End): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const ended = await tx
      .update(accountImports)
      .set({ ...end, finishedAt: new Date() })
      .where(and(isImport(key), eq(accountImports.state, 'running')))
      .returning({ id: accountImports.id });
    await notifyImport(ctx, tx, key.userId);
    return ended.length > 0;
  });
}

/** Opens a local copy of the stored archive: only that can be read from any place. */
async function withArchive(ctx: Deps, key: string | null, work: (archive: Archive) => Promise<void>): Promise<void> {
  if (key === null || !(await ctx.storage.has(key))) {
    throw new AppError('not_found', 'The archive was deleted after a day. Choose it again; nothing doubles.');
  }
  const folder = incomingFolder(ctx.config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  try {
    await pipeline(await ctx.storage.get(key), createWriteStream(path, { mode: 0o600 }));
    const archive = await openArchive(path);
    await work(archive).finally(archive.close);
  } finally {
    await rm(path, { force: true });
  }
}

async function carryOver(ctx: Deps, { userId: uid }: ImportKey, archive: Archive, progress: Progress): Promise<void> {
  const agents = await importAgents(ctx, uid, archive, progress);
  const folders = await importFolders(ctx.db, uid, archive.rows('folders'));
  const to: Destination = { uid, agents, folders, agentOfSession: await mapSessions(archive, agents) };
  for (const kind of importKind.options) {
    if (kind === 'agents' || progress.row.partsDone > importKind.options.indexOf(kind)) continue;
    if (kind === 'files') await importFiles(ctx, to, archive, progress);
    else if (kind === 'attachments') await importAttachments(ctx, to, archive, progress);
    else await importPart(kind, to, archive, progress);
    await progress.endPart(kind);
    if (kind === 'memories') await sendEmbedJobs(ctx, to);
  }
}

const IMPORTERS: Record<RowKind, Importer> = {
  sessions: importSessions,
  exchanges: importExchanges,
  summaries: importSummaries,
  memories: importMemories,
  facts: importFacts,
  prompts: importPrompts,
};

/** What connects the rows of a part, once all of them are here. */
const LINKS: Partial<Record<RowKind, { rows: RowKind | 'branches'; importer: Importer }>> = {
  exchanges: { rows: 'branches', importer: linkBranches },
  facts: { rows: 'facts', importer: linkFacts },
};

async function importPart(kind: RowKind, to: Destination, archive: Archive, progress: Progress) {
  let skip = progress.row.rowsDone;
  for await (const portion of archive.rows(kind)) {
    const rows = portion.slice(skip);
    skip = Math.max(0, skip - portion.length);
    if (rows.length === 0) continue;
    const { overLimit } = await progress.step(kind, rows.length, (tx) => IMPORTERS[kind](tx, to, rows));
    if (overLimit) await progress.step(kind, 0, async () => ({ imported: 0, present: 0, left: 0 }), [SESSIONS_LEFT]);
  }
  const link = LINKS[kind];
  // A second import that brings nothing new leaves the paths that were chosen since.
  if (link === undefined || progress.row.counts.find((count) => count.kind === kind)?.imported === 0) return;
  for await (const rows of archive.rows(link.rows)) await progress.step(kind, 0, (tx) => link.importer(tx, to, rows));
}

/** Summaries name their session only. */
async function mapSessions(archive: Archive, agents: AgentPlaces): Promise<Map<string, AgentPlace>> {
  const found = new Map<string, AgentPlace>();
  for await (const portion of archive.rows('sessions')) {
    for (const row of portion) {
      const parsed = sessionRow.safeParse(row);
      const agent = parsed.success ? agents.get(parsed.data.agentId) : undefined;
      if (parsed.success && agent !== undefined) found.set(parsed.data.id, agent);
    }
  }
  return found;
}

const sendEmbedJobs = (ctx: Deps, { uid, agents }: Destination) =>
  ctx.db.transaction((tx) =>
    ctx.jobs.sendAll(
      tx,
      [...agents.values()].flatMap(({ id }) => embedJobs(ctx, { userId: uid, agentId: id })),
    ),
  );
