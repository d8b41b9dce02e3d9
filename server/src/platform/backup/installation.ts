import type { Config } from '../../config.ts';
import { secretsIn } from '../database/folder/data-folder.ts';
import { createStorage } from '../storage/storage.ts';
import { openCopy } from './embedded-source.ts';
import { embeddedPlace, postgresPlace } from './places.ts';
import { openSnapshot } from './postgres-source.ts';
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

/** The configured installation as a place to restore to. */
export function placeOf(config: Config): RestoreTarget {
  const { DATABASE_URL, DATA_DIR } = config;
  const storage = createStorage(config);
  return DATABASE_URL === undefined ? embeddedPlace(DATA_DIR, storage) : postgresPlace(DATABASE_URL, DATA_DIR, storage);
}
