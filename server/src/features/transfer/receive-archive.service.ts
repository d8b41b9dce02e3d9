import { IMPORT_SENTENCES } from '@atelier/contract/transfer/imports';
import { and, eq, ne } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Caller, owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Received } from '../../platform/http/upload.ts';
import { shownName } from '../files/file-names.service.ts';
import { asRefusal, openArchive } from './archive/archive.ts';
import { survey } from './archive/survey.ts';
import { findLatestImport, notifyImport } from './imports.service.ts';
import { type AccountImportRow, accountImports } from './imports.table.ts';

export const DISCARD_QUEUE = 'transfer.discard-import';
const KEEP_SECONDS = 24 * 60 * 60;
const NAME_CHARS = 200;

/** Stores an archive and says what is in it; nothing is imported yet. It takes the place of an earlier one, unless that runs. */
export async function receiveArchive(ctx: Deps, caller: Caller, received: Received): Promise<AccountImportRow> {
  if ((await findLatestImport(ctx.db, caller.uid))?.state === 'running') {
    throw new AppError('conflict', IMPORT_SENTENCES.running);
  }
  const archive = await openArchive(received.path);
  const found = await survey(archive)
    .catch((error: unknown) => {
      throw asRefusal(error);
    })
    .finally(archive.close);
  const id = uuidv7();
  const key = `userFiles/${caller.uid}/imports/${id}.zip`;
  await ctx.storage.put(key, received.path, received.size);
  const fileName = shownName(received.name, NAME_CHARS, 'archive.zip');
  const { replaced, stored } = await ctx.db.transaction(async (tx) => {
    const earlier = and(eq(accountImports.userId, caller.uid), ne(accountImports.state, 'running'));
    const gone = await tx.delete(accountImports).where(earlier).returning();
    const values = { userId: caller.uid, id, state: 'ready' as const, fileName, key, madeAt: archive.madeAt, ...found };
    const [row] = await tx.insert(accountImports).values(values).returning();
    const discard = { userId: caller.uid, importId: id };
    await ctx.jobs.send(tx, DISCARD_QUEUE, discard, { startAfterSeconds: KEEP_SECONDS });
    await notifyImport(ctx, tx, caller.uid);
    return { replaced: gone, stored: owned(caller.uid, row, 'This import') };
  });
  for (const row of replaced) if (row.key !== null) await ctx.storage.delete(row.key);
  return stored;
}
