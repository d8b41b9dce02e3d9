import { v5 as uuidv5 } from 'uuid';
import type { Deps } from '../../platform/deps.ts';
import { addAttachment } from '../attachments/add-attachment.service.ts';
import { readAttachments } from '../attachments/attachments.service.ts';
import { addFile } from '../files/files.service.ts';
import { forgetUpload } from '../files/uploads.service.ts';
import type { Archive } from './archive/archive.ts';
import { attachmentRow, fileRow } from './archive/archive-rows.ts';
import { type Become, importEach } from './import-each.service.ts';
import { importedId } from './import-places.queries.ts';
import type { Progress } from './import-progress.service.ts';
import { findFileHere, linkAttachments } from './import-uploads.queries.ts';
import type { Destination } from './rows/import-rows.queries.ts';
import { withPart } from './unpack-part.service.ts';

/** What a free account is told. */
const needsPro = (what: string) =>
  `${what} are for Pro accounts, so they were left out. With Pro, import the archive again to add them.`;

/** Adds the archive's files like uploads: the same checks, the same space, and they are read again. */
export async function importFiles(ctx: Deps, to: Destination, archive: Archive, progress: Progress): Promise<void> {
  await importEach(ctx, to.uid, archive, progress, {
    kind: 'files',
    needsPro: needsPro('Files'),
    importOne: async (row, notes) => {
      const { data } = fileRow.safeParse(row);
      const part = data && archive.files.get(data.id);
      const agent = data && to.agents.get(data.agentId);
      if (data === undefined || part === undefined || agent === undefined) return 'left';
      const { id, name } = data;
      if (await isPresent(ctx, await findFileHere(ctx.db, to.uid, { id, agent }))) return 'present';
      return withPart(ctx, part, { name, once: 'agent_files_user_id_id_pk', notes }, (received) =>
        addFile(ctx, { uid: to.uid }, agent, received, importedId(agent, id)),
      );
    },
  });
}

/** Whether an upload is here. What an interrupted import left half stored is removed. */
async function isPresent(
  ctx: Deps,
  here: (Parameters<typeof forgetUpload>[1] & { state: string })[],
): Promise<boolean> {
  if (here.some(({ state }) => state !== 'uploading')) return true;
  for (const half of here) await forgetUpload(ctx, half);
  return false;
}

/**
 * Adds the pictures and files of messages like uploads: the same checks, the same space, and they are read again. Then the messages that
 * came name those that are here; what none names goes within a day, like an upload that is never sent.
 */
export async function importAttachments(ctx: Deps, to: Destination, archive: Archive, progress: Progress) {
  const isPro = await importEach(ctx, to.uid, archive, progress, {
    kind: 'attachments',
    needsPro: needsPro('Attachments'),
    importOne: (row, notes) => importAttachment(ctx, to, archive, row, notes),
  });
  if (!isPro) return;
  const none = { imported: 0, present: 0, left: 0 };
  for await (const rows of archive.rows('exchanges')) {
    await progress.step('attachments', 0, (tx) => linkAttachments(tx, to, rows, idHere).then(() => none));
  }
}

/** The id that an attachment of the archive gets here: the same one each time, so that a second import finds it. */
const idHere = (uid: string, id: string) => uuidv5(`${uid}/${id}`, 'a0b7f6b2-0c0e-4f6e-8a3e-5a4b1d9c7e31');

async function importAttachment(
  ctx: Deps,
  to: Destination,
  archive: Archive,
  row: unknown,
  notes: string[],
): Promise<Become> {
  const { data } = attachmentRow.safeParse(row);
  const part = data && archive.attachments.get(data.id);
  if (data === undefined || part === undefined) return 'left';
  const { id, sessionId, name } = data;
  const here = await readAttachments(ctx.db, to.uid, [id, idHere(to.uid, id)]);
  if (await isPresent(ctx, [...here.values()])) return 'present';
  const agent = to.agentOfSession.get(sessionId);
  // Its session may be deleted, and a copy of that still name it.
  const session = agent === undefined ? idHere(to.uid, sessionId) : importedId(agent, sessionId);
  const place = { userId: to.uid, id: session };
  return withPart(ctx, part, { name, once: 'attachments_user_id_id_pk', notes }, (received) =>
    addAttachment(ctx, place, received, { id: idHere(to.uid, id) }),
  );
}
