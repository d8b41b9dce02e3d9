import { importKind } from '@atelier/contract/transfer/imports';
import type { Deps } from '../../platform/deps.ts';
import { embedJobs } from '../memory/embed.service.ts';
import type { Archive } from './archive/archive.ts';
import { sessionRow } from './archive/archive-rows.ts';
import { importAgents } from './import-agents.service.ts';
import { importFolders } from './import-folders.queries.ts';
import { importPart } from './import-part.service.ts';
import type { AgentPlace, AgentPlaces } from './import-places.queries.ts';
import type { Progress } from './import-progress.service.ts';
import { importAttachments, importFiles } from './import-uploads.service.ts';
import type { ImportKey } from './imports.service.ts';
import type { Destination } from './rows/import-rows.queries.ts';

/** Carries over what is still to come of an archive, kind by kind. */
export async function carryOver(
  ctx: Deps,
  { userId: uid }: ImportKey,
  archive: Archive,
  progress: Progress,
): Promise<void> {
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
