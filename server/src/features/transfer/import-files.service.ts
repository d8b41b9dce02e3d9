import type { Deps } from '../../platform/deps.ts';
import { addFile } from '../files/add-file.service.ts';
import { forgetUpload } from '../files/uploads.service.ts';
import type { Archive } from './archive/archive.ts';
import { fileRow } from './archive/archive-rows.ts';
import { type Become, importEach } from './import-each.service.ts';
import { importedId } from './import-places.queries.ts';
import type { Progress } from './import-progress.service.ts';
import { findFileHere } from './rows/find-file.queries.ts';
import type { Destination } from './rows/import-rows.queries.ts';
import { withPart } from './unpack-part.service.ts';

const NEEDS_PRO = 'Files are for Pro accounts, so they were left out. With Pro, import the archive again to add them.';

/** Adds the archive's files like uploads: the same checks, the same space, and they are read again. */
export async function importFiles(ctx: Deps, to: Destination, archive: Archive, progress: Progress): Promise<void> {
  await importEach(ctx, to.uid, archive, progress, {
    kind: 'files',
    needsPro: NEEDS_PRO,
    importOne: (row, notes) => importFile(ctx, to, archive, row, notes),
  });
}

async function importFile(
  ctx: Deps,
  to: Destination,
  archive: Archive,
  row: unknown,
  notes: string[],
): Promise<Become> {
  const parsed = fileRow.safeParse(row);
  const part = parsed.success ? archive.files.get(parsed.data.id) : undefined;
  const agent = parsed.success ? to.agents.get(parsed.data.agentId) : undefined;
  if (!parsed.success || part === undefined || agent === undefined) return 'left';
  const { id, name } = parsed.data;
  const here = await findFileHere(ctx.db, to.uid, { id, agent });
  if (here !== null && here.state !== 'uploading') return 'present';
  // An import that was interrupted may have left it half stored.
  if (here !== null) await forgetUpload(ctx, here);
  return withPart(ctx, part, { name, once: 'agent_files_user_id_id_pk', notes }, (received) =>
    addFile(ctx, { uid: to.uid }, agent, received, importedId(agent, id)),
  );
}
