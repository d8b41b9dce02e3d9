import { IMPORT_SENTENCES, type ImportKind, importKind } from '@atelier/contract/transfer/imports';
import { eq } from 'drizzle-orm';
import { mayUseTools } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { outageOf } from '../../platform/outage.ts';
import { planOf } from '../accounts/accounts.counts.service.ts';
import { embedJobs } from '../memory/embed.service.ts';
import { type Archive, asRefusal, openArchive } from './archive.ts';
import { sessionRow } from './archive-rows.ts';
import { type AgentOfPast, importAgents } from './import-agents.service.ts';
import { importFolders } from './import-ids.queries.ts';
import { type IdScope, type ImportTarget, validRows } from './import-ids.ts';
import { LINKS } from './import-links.queries.ts';
import { Halted, openProgress, type Progress } from './import-progress.service.ts';
import { importRows } from './import-rows.queries.ts';
import { importUpload, needsPro, withCopy } from './import-uploads.service.ts';
import { DISCARD_QUEUE, endImport, forgetArchive, IMPORT_QUEUE, isImport } from './imports.service.ts';
import { accountImports, type ImportKey } from './imports.table.ts';
import { findPast, noteMadeAgent, onlyChosen } from './other-programs/past.service.ts';
import { registerUndoJobs } from './other-programs/undo.service.ts';
import { partOf } from './own-tables.table.ts';

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerImportJobs(deps: Deps): void {
  deps.jobs.handle<ImportKey>(IMPORT_QUEUE, (key) => runImport(deps, key), { retryLimit: 20, atOnce: 2 });
  deps.jobs.handle<ImportKey>(DISCARD_QUEUE, (key) => forgetArchive(deps, key), { retryLimit: 10 });
  registerUndoJobs(deps);
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

/** Carries a running import on from where it is, to its end. Throws only while the database or the disk is away: then it is tried again. */
export async function runImport(ctx: Deps, key: ImportKey): Promise<void> {
  const [row] = await ctx.db.select().from(accountImports).where(isImport(key));
  if (row === undefined || row.state !== 'running') return;
  try {
    const past = await findPast(ctx.db, key);
    await withArchive(ctx, row.key, (whole) => {
      const archive = past === undefined ? whole : onlyChosen(whole, past);
      return carryOver(
        ctx,
        key.userId,
        archive,
        openProgress(ctx, key, row),
        past && pastAgents(ctx, key, past.agentId),
      );
    });
    await endImport(ctx, key, { state: 'done', key: null });
  } catch (error) {
    if (error instanceof Halted) return;
    if (outageOf(error) !== null) throw error;
    ctx.log.error('transfer.import', error, { importId: key.importId });
    const refusal = asRefusal(error);
    const why = refusal instanceof AppError ? refusal.message : IMPORT_SENTENCES.interrupted;
    await endImport(ctx, key, { state: 'failed', error: why });
  }
}

/** Where the sessions of another program's export go. */
const pastAgents = (ctx: Deps, key: ImportKey, agentId: string | null): AgentOfPast => ({
  importId: key.importId,
  agentId,
  noteMade: (made) => noteMadeAgent(ctx.db, key, made),
});

/** Opens a local copy of the stored archive: only that can be read from any place. */
async function withArchive(ctx: Deps, key: string | null, work: (archive: Archive) => Promise<void>): Promise<void> {
  if (key === null || !(await ctx.storage.has(key))) {
    throw new AppError('not_found', 'The archive was deleted after a day. Choose it again; nothing doubles.');
  }
  await withCopy(ctx, await ctx.storage.get(key), async (path) => {
    const archive = await openArchive(path);
    await work(archive).finally(archive.close);
  });
}

/** Carries over what is still to come of an archive, kind by kind. */
async function carryOver(
  ctx: Deps,
  uid: string,
  archive: Archive,
  progress: Progress,
  past?: AgentOfPast,
): Promise<void> {
  const agents = await importAgents(ctx, uid, archive, progress, past);
  const folders = await importFolders(ctx.db, uid, archive.rows('session-folders.json'));
  const agentOfSession = new Map<string, IdScope>();
  const to: ImportTarget = { uid, agents, folders, agentOfSession };
  for await (const portion of archive.rows('sessions.json')) {
    for (const { row, scope } of validRows(to, sessionRow, portion)) agentOfSession.set(row.id, scope);
  }
  for (const kind of importKind.options) {
    if (kind === 'agents' || progress.row().partsDone > importKind.options.indexOf(kind)) continue;
    await importPart(ctx, kind, to, archive, progress);
    await progress.endPart(kind);
    if (kind !== 'memories') continue;
    const jobs = [...agents.values()].flatMap(({ id }) => embedJobs(ctx, { userId: uid, agentId: id }));
    await ctx.db.transaction((tx) => ctx.jobs.sendAll(tx, jobs));
  }
}

/** Carries one kind over, a portion of rows at a time or file by file, and then connects what came. */
async function importPart(ctx: Deps, kind: ImportKind, to: ImportTarget, archive: Archive, progress: Progress) {
  const own = partOf(kind);
  const upload = kind === 'files' || kind === 'attachments' ? kind : undefined;
  const isPro = upload !== undefined && mayUseTools(await planOf(ctx.db, to.uid));
  let skip = progress.row().rowsDone;
  for await (const portion of archive.rows(own.file)) {
    const rows = portion.slice(skip);
    skip = Math.max(0, skip - portion.length);
    if (upload === undefined) {
      if (rows.length > 0) await progress.step(kind, rows.length, (tx) => importRows(tx, to, own, rows));
      continue;
    }
    for (const row of rows) {
      const refusal = { left: 1, notes: [needsPro(upload)] };
      const outcome = isPro ? await importUpload(ctx, upload, to, archive, row) : refusal;
      await progress.step(kind, 1, async () => outcome);
    }
  }
  const link = LINKS[kind];
  // A second import that brings nothing new leaves the paths that were chosen since.
  const isNew = upload ? isPro : progress.row().counts.some((one) => one.kind === kind && one.imported > 0);
  if (link === undefined || !isNew) return;
  for await (const rows of archive.rows(link.file))
    await progress.step(kind, 0, (tx) => link.link(tx, to, rows).then(() => ({})));
}
