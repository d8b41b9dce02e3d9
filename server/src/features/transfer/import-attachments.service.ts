import { v5 as uuidv5 } from 'uuid';
import type { Deps } from '../../platform/deps.ts';
import { addAttachment } from '../attachments/add-attachment.service.ts';
import { readAttachments } from '../attachments/attachments.service.ts';
import { forgetUpload } from '../files/uploads.service.ts';
import type { Archive } from './archive/archive.ts';
import { attachmentRow } from './archive/archive-rows.ts';
import { linkAttachments } from './import-attachments.queries.ts';
import { type Become, importEach } from './import-each.service.ts';
import { importedId } from './import-places.queries.ts';
import type { Progress } from './import-progress.service.ts';
import type { Destination } from './rows/import-rows.queries.ts';
import { withPart } from './unpack-part.service.ts';

const NEEDS_PRO =
  'Attachments are for Pro accounts, so they were left out. With Pro, import the archive again to add them.';

/**
 * Adds the pictures and files of messages like uploads: the same checks, the same space, and they are read again. Then the messages that
 * came name those that are here; what none names goes within a day, like an upload that is never sent.
 */
export async function importAttachments(ctx: Deps, to: Destination, archive: Archive, progress: Progress) {
  const isPro = await importEach(ctx, to.uid, archive, progress, {
    kind: 'attachments',
    needsPro: NEEDS_PRO,
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
  const parsed = attachmentRow.safeParse(row);
  const part = parsed.success ? archive.attachments.get(parsed.data.id) : undefined;
  if (!parsed.success || part === undefined) return 'left';
  const { id, sessionId, name } = parsed.data;
  const here = [...(await readAttachments(ctx.db, to.uid, [id, idHere(to.uid, id)])).values()];
  if (here.some(({ state }) => state === 'ready')) return 'present';
  // An import that was interrupted may have left it half stored.
  for (const half of here) await forgetUpload(ctx, half);
  const agent = to.agentOfSession.get(sessionId);
  // Its session may be deleted, and a copy of that still name it.
  const session = agent === undefined ? idHere(to.uid, sessionId) : importedId(agent, sessionId);
  const place = { userId: to.uid, id: session };
  return withPart(ctx, part, { name, once: 'attachments_user_id_id_pk', notes }, (received) =>
    addAttachment(ctx, place, received, { id: idHere(to.uid, id) }),
  );
}
