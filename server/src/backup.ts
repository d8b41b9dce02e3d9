import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { countAccounts, SEALED } from './features/operator/backup.service.ts';
import { type BackupFiles, filesAt, isBucket } from './platform/backup/backup-files.ts';
import { backupAt, isFolder, type Retention } from './platform/backup/backup-folder.ts';
import { dailyBackups, dailyRetention, readDaily, writeDaily } from './platform/backup/daily.ts';
import { tidyDeletions } from './platform/backup/deletions.ts';
import { openFolderOf, openSource } from './platform/backup/installation.ts';
import {
  findPassphrase,
  passphraseOf,
  resolveTarget,
  runCommand,
  say,
  shownSize,
  showProgress,
} from './platform/backup/operator-terminal.ts';
import { embeddedPlace } from './platform/backup/places.ts';
import { restoreBackup } from './platform/backup/restore-backup.ts';
import type { SharedFiles } from './platform/backup/shared-files.ts';
import { writeBackup } from './platform/backup/write-backup.ts';
import { createStorage } from './platform/storage/storage.ts';

const USAGE = `Usage:
  npm run backup -- FILE             writes a backup of the whole installation, encrypted with a passphrase
  npm run backup -- FILE --plain     the same without encryption, and so without the secret and the access to tool servers
  npm run backup -- FILE --rehearse  also restores it into a scratch place
  npm run backup -- FOLDER/          writes one of many in a folder or in s3://BUCKET/FOLDER, which have each uploaded file once; --keep 14 removes all but the last 14
  npm run backup -- --daily          makes the backup of the day, as the server does by itself
  npm run backup -- --verify FILE    proves that a backup, or the newest of a folder, is whole and can be restored; changes nothing`;

const NO_PASSPHRASE =
  'A backup is encrypted with a passphrase: set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE, or run this at a terminal. Without encryption: --plain.';

interface Trial {
  /** The folder of the backup. */
  files: BackupFiles;
  passphrase: string | undefined;
  withFiles: boolean;
  /** A folder of its own by default. */
  scratch?: string;
}

/** Restores a backup into a folder that goes again; says what is in it. */
async function tryOut(config: Config, file: string, { files, ...options }: Trial): Promise<void> {
  const scratch = options.scratch ?? mkdtempSync(join(tmpdir(), 'atelier-backup-'));
  const progress = showProgress('Verified');
  try {
    const storage = options.withFiles
      ? createStorage({ ...config, S3_BUCKET: undefined, DATA_DIR: scratch })
      : undefined;
    let done = 0;
    const { header, manifest, answer } = await restoreBackup(file, embeddedPlace(scratch, storage), countAccounts, {
      passphrase: options.passphrase,
      open: files.open,
      onProgress: (bytes) => progress.show((done += bytes)),
    });
    progress.end();
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const { count, bytes } = manifest.files;
    say(
      `${files.shown(file)} is whole, and was restored in a scratch place: made at ${header.madeAt}, ${answer} accounts, ${rows} rows, ${count} files (${shownSize(bytes)}).`,
    );
  } finally {
    progress.end();
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Target {
  file: string;
  passphrase: string | undefined;
  shared?: SharedFiles;
  files?: BackupFiles;
}

async function backUp(config: Config, { file, ...options }: Target): Promise<void> {
  const source = await openSource(config, SEALED);
  const progress = showProgress('Backed up');
  try {
    const { rows, files, bytes } = await writeBackup(source, file, { ...options, onProgress: progress.show });
    progress.end();
    say(`${options.files?.shown(file) ?? file} has everything: ${rows} rows and ${files} files (${shownSize(bytes)}).`);
    say(
      options.passphrase === undefined
        ? 'It is not encrypted, so it holds neither the secret nor access to tool servers: after a restore, people set up second factors and tool servers again.'
        : 'It is encrypted and holds the secret and access to tool servers. Without its passphrase nobody can open it, you neither.',
    );
  } finally {
    progress.end();
    await source.database.close();
  }
}

interface Into {
  files: BackupFiles;
  passphrase: string | undefined;
  retention: Retention;
}

/** Backs up into a folder, has the backup proven, and then removes old ones. */
async function backUpInto(
  config: Config,
  { files, passphrase, retention }: Into,
  prove: (file: string) => Promise<void>,
) {
  const { file, shared, dropOld, close } = await openFolderOf(config, files, passphrase);
  try {
    await backUp(config, { file, passphrase, shared, files });
    await prove(file);
    await dropOld(retention);
  } finally {
    await close();
  }
}

/** Makes the backup of the day, and notes it for the servers; one that can't be proven goes again. */
async function backUpDaily(config: Config): Promise<void> {
  const files = dailyBackups(config);
  if (files === null) throw new Error('No daily backups are set up: BACKUP_DIR names a folder for them.');
  const madeAt = new Date();
  await tidyDeletions(files);
  const retention = await dailyRetention(config, files);
  const passphrase = passphraseOf(config);
  // Beside the backups, where there is room; a temporary folder may be in memory.
  const scratch = join(files.scratch, 'proving');
  await backUpInto(config, { files, passphrase, retention }, async (file) => {
    rmSync(scratch, { recursive: true, force: true });
    await tryOut(config, file, { files, passphrase, withFiles: false, scratch }).catch(async (error: unknown) => {
      await files.remove(file);
      throw error;
    });
  });
  const since = (await readDaily(files))?.since ?? madeAt;
  await writeDaily(files, { since, madeAt });
}

function keepCount(keep: string | undefined): number {
  const count = Number(keep ?? Number.POSITIVE_INFINITY);
  if (count >= 1 && (keep === undefined || Number.isInteger(count))) return count;
  throw new Error(`--keep needs the number of backups to keep, such as --keep 14.`);
}

const OPTIONS = {
  plain: { type: 'boolean' },
  verify: { type: 'boolean' },
  rehearse: { type: 'boolean' },
  keep: { type: 'string' },
  daily: { type: 'boolean' },
} as const;

await runCommand(process.env, OPTIONS, async ({ values, positionals }, config) => {
  // The server beside it has people who wait.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const [name, ...more] = positionals;
  if (values.daily === true && name === undefined) return backUpDaily(config);
  if (name === undefined || more.length > 0) throw new Error(USAGE);
  const keep = keepCount(values.keep);
  const target = resolveTarget(name, process.env);
  const inFolder = name.endsWith('/') || isBucket(target) || isFolder(target);
  if (values.keep !== undefined && !inFolder) throw new Error('--keep is for a folder of backups.');
  const isNew = values.verify !== true;
  const passphrase = values.plain === true ? undefined : await findPassphrase(config, isNew);
  if (isNew && passphrase === undefined && values.plain !== true) throw new Error(NO_PASSPHRASE);
  if (isNew && inFolder) {
    const into = { files: filesAt(target, config), passphrase, retention: { keep, bytes: Number.POSITIVE_INFINITY } };
    const prove = (file: string) => tryOut(config, file, { ...into, withFiles: true });
    return backUpInto(config, into, values.rehearse === true ? prove : async () => {});
  }
  if (isNew) await backUp(config, { file: target, passphrase });
  if (isNew && values.rehearse !== true) return;
  const { file, files } = await backupAt(target, config);
  await tryOut(config, file, { files, passphrase, withFiles: isNew });
});
