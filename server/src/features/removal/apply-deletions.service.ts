import { owned } from '../../access.ts';
import { isBucket } from '../../platform/backup/backup-files.ts';
import { backupsOf } from '../../platform/backup/daily.ts';
import { type Deletion, deletionsIn } from '../../platform/backup/deletions.ts';
import type { Deps } from '../../platform/deps.ts';
import { sentenceOf } from '../../platform/logged-error.ts';
import { forgetFact } from '../facts/facts.service.ts';
import { deleteFile } from '../files/files.service.ts';
import { forgetMemories } from '../memory/manage.service.ts';
import { deleteAccountUnasked } from './delete-account.service.ts';
import { deleteAgent } from './delete-agent.service.ts';
import { deleteSessions, hideExchange } from './delete-session.service.ts';
import { deleteRow, findAccounts, findBack, type OwnKey, readAgent, readFact, readFile } from './removal.queries.ts';

type Kind = Parameters<typeof findBack>[1];

/** How a person deletes one of each kind. */
const AGAIN: Record<Kind, (ctx: Deps, key: OwnKey, deletion: Deletion) => Promise<unknown>> = {
  agent: async (ctx, key) => deleteAgent(ctx, owned(key.userId, await readAgent(ctx.db, key), 'This agent')),
  session: (ctx, { userId, id }) => deleteSessions(ctx, userId, [id]),
  exchange: (ctx, { userId, id }, { sessionId = '' }) => hideExchange(ctx, { userId, sessionId, taskId: id }, true),
  memory: (ctx, { userId, id }) => forgetMemories(ctx, { uid: userId }, [id]),
  fact: async (ctx, key) =>
    forgetFact(ctx, { uid: key.userId }, owned(key.userId, await readFact(ctx.db, key), 'This fact')),
  file: async (ctx, key) => deleteFile(ctx, owned(key.userId, await readFile(ctx.db, key), 'This file')),
  share: (ctx, key) => deleteRow(ctx.db, 'share', key),
  key: (ctx, key) => deleteRow(ctx.db, 'key', key),
  prompt: (ctx, key) => deleteRow(ctx.db, 'prompt', key),
};

/** What is noted beside the backups. Throws a sentence for the operator where that can't be read. */
async function readDeletions({ config }: Deps): Promise<Deletion[]> {
  const files = backupsOf(config);
  return deletionsIn(files).catch((cause: unknown) => {
    const place = files.shown(files.folder);
    const settings = isBucket(place) ? 'BACKUP_DIR, S3_ENDPOINT, S3_REGION and the key' : 'BACKUP_DIR';
    throw new Error(
      `${place}, which also says what people have deleted, can’t be read: ${sentenceOf(cause)}. Check ${settings}.`,
      { cause },
    );
  });
}

/**
 * Deletes again what a restored database has brought back, as its owners did: nobody sees it from then on, and the same jobs remove its
 * words. Call it at a start, before anybody is served; without a restore it finds nothing.
 */
export async function applyDeletions(ctx: Deps): Promise<void> {
  const all = await readDeletions(ctx);
  const uids = all.filter(({ kind }) => kind === 'account').map(({ userId }) => userId);
  const accounts = uids.length === 0 ? [] : await findAccounts(ctx.db, uids);
  for (const account of accounts) await deleteAccountUnasked(ctx, account);
  let count = accounts.length;
  for (const kind of Object.keys(AGAIN) as Kind[]) {
    const noted = new Map(
      all.filter((deletion) => deletion.kind === kind).flatMap((deletion) => deletion.ids.map((id) => [id, deletion])),
    );
    if (noted.size === 0) continue;
    const back = await findBack(
      ctx.db,
      kind,
      [...noted].map(([id, { userId }]) => ({ userId, id })),
    );
    for (const key of back) {
      const deletion = noted.get(key.id);
      if (deletion !== undefined) await AGAIN[kind](ctx, key, deletion);
    }
    count += back.length;
  }
  if (count > 0) ctx.log.info('deletions.applied', { count });
}
