import { AsyncResource } from 'node:async_hooks';
import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MemoryFS, PGlite, type Results } from '@electric-sql/pglite';
import { portablePglite } from '../backup/portable.ts';
import type { Log } from '../log.ts';
import { bringUpToDate, type Start } from './bring-up-to-date.ts';
import type { BaseBackup, Database } from './database.ts';
import { openDurablePglite } from './durable-node-fs.ts';
import { openDataFolder } from './folder/data-folder.ts';
import { explainOpening, requireFiles } from './folder/explain-opening.ts';
import { createTransactionGuard } from './guard.ts';
import { type Maintenance, startMaintenance } from './maintenance.ts';
import { migrate } from './migrate.ts';
import { openDrizzle } from './pglite-drizzle.ts';
import { giveTurns, withSmallParser } from './pglite-insides.ts';
import { PARSERS, withDates } from './pglite-parsers.ts';

/**
 * Opens the embedded database of a data folder: locked, durable, backed up before migrations. Throws a sentence for the operator when that
 * fails. `hasSecret` as in `openDataFolder`, whose secrets are returned.
 */
export async function openEmbedded(
  path: string,
  log: Log,
  options: { hasSecret?: boolean } & Pick<Start, 'files' | 'mayUpgrade'> = {},
): Promise<{ database: Database; secrets: string[] }> {
  let release = () => {};
  try {
    const folder = openDataFolder(path, options);
    release = folder.release;
    if (folder.setAside !== undefined) {
      log.info('database.unfinished', {
        folder: folder.setAside,
        next: 'A first start was interrupted, so this one begins again. The folder holds what there was of the database; delete it unless you put a database there yourself.',
      });
    }
    folder.beginCreation();
    const pglite = await openDurablePglite(folder.db, undefined, (error) => endProcess(error, folder.root, log));
    folder.finishCreation();
    await requireFiles(pglite, folder.db);
    const room = () => hasRoom(folder.root);
    const close = async () => {
      await maintenance.stop();
      await pglite.close();
      folder.release();
    };
    const database = wrapPglite(pglite, { close, hasRoom: room });
    const { files, mayUpgrade } = options;
    const start = { log, folder: folder.root, files, mayUpgrade };
    if (await bringUpToDate(portablePglite(pglite), start)) await pglite.exec('reset all');
    const maintenance = startMaintenance(pglite, log, room);
    await maintenance.catchUp();
    return { database: { ...database, baseBackup: baseBackupOf(pglite, maintenance) }, secrets: folder.secrets };
  } catch (error) {
    release();
    throw explainOpening(resolve(path), error);
  }
}

function baseBackupOf(pglite: PGlite, maintenance: Maintenance): BaseBackup {
  let state: 'none' | 'begun' | 'ended' = 'none';
  const end = async () => {
    const { rows } = await pglite.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)');
    state = 'ended';
    return rows[0]?.label ?? '';
  };
  return {
    async begin() {
      if (state !== 'none') throw new Error('Another backup is being made. Wait for its end, then try again.');
      state = 'begun';
      await maintenance.pause();
      await pglite.query(`select pg_backup_start('atelier', true)`);
    },
    end,
    async release() {
      if (state === 'begun') await end();
      if (state !== 'none') maintenance.resume();
      state = 'none';
    },
  };
}

/** PostgreSQL stops when its log can't grow by another 16 MB; changes are refused below four times that. */
const ROOM_BYTES = 64 * 1024 * 1024;

async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= ROOM_BYTES;
}

/**
 * Like PostgreSQL: after a failed write or flush nobody knows what is on the disk, so the process ends and the next start recovers from the
 * log. The delay lets the rejected commit be answered.
 */
function endProcess(error: unknown, folder: string, log: Log): void {
  log.error('database.disk', error, {
    next: `The disk of ${folder} refused a write that the database can’t do without, so the server stops. Nothing that was acknowledged is lost. Free some space or repair the disk, then start it again.`,
  });
  setTimeout(() => process.exit(1), 200);
}

/** An embedded database in memory, from a dump if there is one: for tests and benchmarks. */
export async function openInMemory(dump?: Blob): Promise<{ database: Database; pglite: PGlite }> {
  const pglite = await PGlite.create({
    fs: withSmallParser(new MemoryFS()),
    ...(dump ? { loadDataDir: dump } : {}),
    parsers: PARSERS,
  });
  const database = wrapPglite(pglite, { close: () => pglite.close(), hasRoom: async () => true });
  if (dump === undefined) await migrate(database);
  return { database, pglite };
}

/** Runs several statements. One that fails inside its own BEGIN would leave the only connection in an aborted transaction. */
async function runScript(pglite: PGlite, script: string): Promise<Record<string, unknown>[]> {
  try {
    return (await pglite.exec(script)).flatMap((result) => withDates(result as Results<Record<string, unknown>>));
  } catch (error) {
    await pglite.exec('rollback');
    throw error;
  }
}

function wrapPglite(pglite: PGlite, { close, hasRoom }: Required<Pick<Database, 'close' | 'hasRoom'>>): Database {
  giveTurns(pglite);
  const guard = createTransactionGuard();
  return {
    kind: 'pglite',
    db: guard.wrap(openDrizzle(pglite)),
    executeSql: async (text, values) => {
      guard.check();
      if (values === undefined || values.length === 0) return { rows: await runScript(pglite, text) };
      return { rows: withDates(await pglite.query<Record<string, unknown>>(text, values)) };
    },
    listen: async (channel, fn) => {
      // PGlite calls it inside the transaction that sends the notice, where the guard would refuse this handle.
      const stop = await pglite.listen(channel, AsyncResource.bind(fn));
      return () => stop();
    },
    ping: async () => void (await pglite.query('select 1')),
    hasRoom,
    close,
  };
}
