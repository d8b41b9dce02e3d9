import type { Config } from '../../config.ts';
import { secretsIn } from '../database/folder/data-folder.ts';
import { createStorage } from '../storage/storage.ts';
import type { BackupFiles } from './backup-files.ts';
import { openBackupFolder } from './backup-folder.ts';
import { openCopy } from './embedded-source.ts';
import { embeddedPlace, postgresPlace } from './places.ts';
import { lockFolderOf, openSnapshot } from './postgres-source.ts';
import type { RestoreTarget } from './restore-backup.ts';
import type { Source } from './write-backup.ts';

/** The secrets that an installation reads with, the newest first. */
export const secretsOfInstallation = ({ AUTH_SECRET, AUTH_SECRET_OLD, DATABASE_URL, DATA_DIR }: Config): string[] => [
  ...(AUTH_SECRET === undefined ? [] : [AUTH_SECRET]),
  ...(DATABASE_URL === undefined ? secretsIn(DATA_DIR) : []),
  ...AUTH_SECRET_OLD,
];

/** The configured installation as it is now, also while its server runs. Throws a sentence for the operator. */
export async function openSource(config: Config, sealed: Source['sealed']): Promise<Required<Source>> {
  const { DATABASE_URL, DATA_DIR } = config;
  const database = await (DATABASE_URL === undefined ? openCopy(DATA_DIR) : openSnapshot(DATABASE_URL));
  return { database, storage: createStorage(config), secrets: secretsOfInstallation(config), sealed };
}

/** Opens a folder of backups for this installation alone: of its machines on PostgreSQL, one at a time. Throws `Busy`. */
export async function openFolderOf({ DATABASE_URL }: Config, files: BackupFiles, passphrase: string | undefined) {
  const release = DATABASE_URL === undefined ? async () => {} : await lockFolderOf(DATABASE_URL);
  try {
    const { close, ...opened } = await openBackupFolder(files, passphrase);
    const closeBoth = async () => {
      close();
      await release();
    };
    return { ...opened, close: closeBoth };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The configured installation as a place to restore to. */
export function placeOf(config: Config): RestoreTarget {
  const { DATABASE_URL, DATA_DIR } = config;
  const storage = createStorage(config);
  return DATABASE_URL === undefined ? embeddedPlace(DATA_DIR, storage) : postgresPlace(DATABASE_URL, DATA_DIR, storage);
}
