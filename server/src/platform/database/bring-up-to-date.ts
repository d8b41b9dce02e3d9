import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Portable } from '../backup/portable.ts';
import type { Log } from '../log.ts';
import type { FileStorage } from '../storage/storage.ts';
import { hasData, migrate, pendingMigrations } from './migrate.ts';
import { changeRecord, type InstallationRecord, readRecord } from './record.ts';

/** What a database is opened for. */
export interface Start {
  log: Log;
  /** The data folder, which gets the backups of before upgrades. */
  folder: string;
  /** Where the uploaded files are, if that is a bucket: it gets the last of these backups too. */
  bucket?: FileStorage | undefined;
  /** Where the uploaded files are, by `filesPlace`, unless nobody asks for them. */
  files?: string | undefined;
  /** False for a command: a server of the version before may be running beside it. */
  mayUpgrade?: boolean | undefined;
}

/**
 * Makes a database ready to serve: the one that is in use, migrated to this version. Throws a sentence for the operator. True where there was
 * an upgrade, after which the connection has other settings than before.
 */
export async function bringUpToDate(database: Portable, start: Start): Promise<boolean> {
  const record = await readRecord(database);
  refuseMoved(record, start.files);
  const { names } = await pendingMigrations(database);
  refuseTakenBack(record, names);
  const isUpgrade = names.length > 0 && (await hasData(database));
  if (isUpgrade && start.mayUpgrade === false) throw new Error(SERVER_FIRST);
  if (isUpgrade) await (await import('../backup/upgrade.ts')).upgrade(database, start);
  else if (names.length > 0) await migrate(database);
  const program = programVersion();
  if (record.program !== program) await changeRecord(database, { program });
  return isUpgrade;
}

const SERVER_FIRST =
  'The database is of an earlier version, and only the start of a server upgrades it. Start the server of this version first.';

function refuseMoved({ moved, files }: InstallationRecord, here: string | undefined): void {
  if (moved !== undefined) {
    throw new Error(
      `This database was moved to ${moved.to} at ${moved.at}, and what is written there is not here. Set DATABASE_URL or DATA_DIR to that place. To use this one again, as it was then: npm run move -- --stay`,
    );
  }
  if (files !== undefined && here !== undefined && files.to !== here) {
    throw new Error(
      `The uploaded files were moved to ${files.to} at ${files.at}, but the settings name ${here}. Set S3_BUCKET or DATA_DIR to that place. To use the files of ${here} again: npm run move -- --stay`,
    );
  }
}

function refuseTakenBack({ wentBack }: InstallationRecord, pending: string[]): void {
  if (wentBack === undefined || !isDeepStrictEqual(wentBack.upgrade.migrations, pending)) return;
  throw new Error(
    `The upgrade by ${pending.join(', ')} was taken back at ${wentBack.at}, and this version would do it again. Start ${wentBack.upgrade.from}. To upgrade after all: npm run go-back -- --forget. To have the newer state again: npm run go-back -- --undo`,
  );
}

const MANIFEST = fileURLToPath(new URL('../../../../package.json', import.meta.url));
/** The bundle has the commit that it was made from beside it. */
const COMMIT = join(import.meta.dirname, 'commit');

/** This program's version, with its commit where that is known: `0.3.0, commit 1f2e3d4`. */
export function programVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const commit = existsSync(COMMIT) ? readFileSync(COMMIT, 'utf8') : '';
  return commit === '' ? version : `${version}, commit ${commit}`;
}
