import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from './config.ts';
import { countAccounts, SEALED } from './features/operator/backup.service.ts';
import { openSource } from './platform/backup/installation.ts';
import { findPassphrase, shownSize, showProgress } from './platform/backup/operator-terminal.ts';
import { embeddedPlace } from './platform/backup/places.ts';
import { restoreBackup } from './platform/backup/restore-backup.ts';
import { writeBackup } from './platform/backup/write-backup.ts';
import { sentenceOf } from './platform/logged-error.ts';
import { createStorage } from './platform/storage/storage.ts';

const USAGE = `Usage:
  npm run backup -- FILE             writes a backup of the whole installation, encrypted with a passphrase
  npm run backup -- FILE --plain     the same without encryption, and so without the secret and the access to tool servers
  npm run backup -- FILE --rehearse  also restores it into a scratch place
  npm run backup -- --verify FILE    proves that a backup is whole and can be restored; changes nothing`;

const NO_PASSPHRASE =
  'A backup is encrypted with a passphrase: set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE, or run this at a terminal. Without encryption: --plain.';

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Restores a backup into a folder that goes again; says what is in it. */
async function tryOut(config: Config, file: string, options: { passphrase?: string | undefined; withFiles: boolean }) {
  const scratch = mkdtempSync(join(tmpdir(), 'atelier-backup-'));
  const progress = showProgress('Verified');
  try {
    const storage = options.withFiles
      ? createStorage({ ...config, S3_BUCKET: undefined, DATA_DIR: scratch })
      : undefined;
    let done = 0;
    const { header, manifest, answer } = await restoreBackup(file, embeddedPlace(scratch, storage), countAccounts, {
      passphrase: options.passphrase,
      onProgress: (bytes) => progress.show((done += bytes)),
    });
    progress.end();
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const { count, bytes } = manifest.files;
    say(
      `${file} is whole, and was restored in a scratch place: made at ${header.madeAt}, ${answer} accounts, ${rows} rows, ${count} files (${shownSize(bytes)}).`,
    );
  } finally {
    progress.end();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function backUp(config: Config, file: string, passphrase: string | undefined): Promise<void> {
  const source = await openSource(config, SEALED);
  const progress = showProgress('Backed up');
  try {
    const { rows, files, bytes } = await writeBackup(source, file, { passphrase, onProgress: progress.show });
    progress.end();
    say(`${file} has everything: ${rows} rows and ${files} files (${shownSize(bytes)}).`);
    say(
      passphrase === undefined
        ? 'It is not encrypted, so it holds neither the secret nor access to tool servers: after a restore, people set up second factors and tool servers again.'
        : 'It is encrypted and holds the secret and access to tool servers. Without its passphrase nobody can open it, you neither.',
    );
  } finally {
    progress.end();
    await source.database.close();
  }
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { plain: { type: 'boolean' }, verify: { type: 'boolean' }, rehearse: { type: 'boolean' } },
    allowPositionals: true,
  });
  const config = readConfig(process.env);
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new Error(USAGE);
  // npm starts us elsewhere than where the name was typed.
  const file = resolve(process.env.INIT_CWD ?? '.', name);
  const isNew = values.verify !== true;
  const passphrase = values.plain === true ? undefined : await findPassphrase(config, isNew);
  if (isNew) {
    if (passphrase === undefined && values.plain !== true) throw new Error(NO_PASSPHRASE);
    await backUp(config, file, passphrase);
  }
  if (!isNew || values.rehearse === true) await tryOut(config, file, { passphrase, withFiles: isNew });
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
}
