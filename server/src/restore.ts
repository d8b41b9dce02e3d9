import { resolve } from 'node:path';
import type { Config } from './config.ts';
import { listToSetUp } from './features/operator/backup.service.ts';
import { backupAt } from './platform/backup/backup-folder.ts';
import { DELETIONS_DAYS, takeDeletions } from './platform/backup/deletions.ts';
import { placeOf, secretsOfInstallation } from './platform/backup/installation.ts';
import {
  findPassphrase,
  resolveTarget,
  runCommand,
  say,
  shownSize,
  showProgress,
} from './platform/backup/operator-terminal.ts';
import type { Portable } from './platform/backup/portable.ts';
import { restoreBackup } from './platform/backup/restore-backup.ts';
import { addSecrets } from './platform/database/folder/data-folder.ts';

const USAGE = `Usage:
  npm run restore -- FILE  restores a backup, or the newest of a folder, into the empty place that the settings name: DATA_DIR or DATABASE_URL,
                           and S3_BUCKET`;

/** What is left to do about the secret, for the operator. */
function adviseOnSecrets(config: Config, secrets: string[] | null, toSetUp: string[]): string[] {
  const secretsHere = secretsOfInstallation(config);
  const missing = (secrets ?? []).filter((secret) => !secretsHere.includes(secret));
  if (missing.length > 0) {
    addSecrets(config.DATA_DIR, missing);
    return [
      `Put the lines of ${resolve(config.DATA_DIR, 'secret')} into AUTH_SECRET_OLD, or the first one into AUTH_SECRET, then delete that file.`,
    ];
  }
  if (secrets !== null) return [];
  return [
    'The backup is not encrypted, so it holds no secret: everybody signs in again.',
    ...(toSetUp.length > 0
      ? [
          'Unless AUTH_SECRET is the one of that time, these must be set up again:',
          ...toSetUp.map((line) => `  ${line}`),
        ]
      : []),
  ];
}

/** What the start will delete again, and what nobody knows. */
function adviseOnDeletions(madeAt: string, deletionCount: number, folder: string): string {
  if (deletionCount === 0)
    return `No list of deletions lies in ${folder}: what people deleted after the backup was made is back. See docs/backup.md.`;
  const isOld = Date.now() - Date.parse(madeAt) > DELETIONS_DAYS * 86_400_000;
  const old = `; from before the last ${DELETIONS_DAYS} days, what was deleted after the backup is back`;
  return `The start deletes again what people have deleted since${isOld ? old : ''}.`;
}

await runCommand(process.env, {}, async ({ positionals }, config) => {
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new Error(USAGE);
  const { file, files } = await backupAt(resolveTarget(name, process.env), config);
  const passphrase = await findPassphrase(config, false);
  const progress = showProgress('Read');
  let done = 0;
  let total = 0;
  // Before the database is in place: a server that starts on it deletes again what is noted.
  const finish = async (database: Portable) => {
    total = await takeDeletions(files, config);
    return listToSetUp(database);
  };
  const { header, manifest, answer } = await restoreBackup(file, placeOf(config), finish, {
    passphrase,
    open: files.open,
    onProgress: (bytes) => progress.show((done += bytes)),
  }).finally(progress.end);
  const { count, bytes } = manifest.files;
  const lines = [
    `Restored as it was at ${header.madeAt}, with ${count} files (${shownSize(bytes)}). Start the server: npm start`,
    adviseOnDeletions(header.madeAt, total, files.shown(files.folder)),
    ...adviseOnSecrets(config, header.secrets, answer),
  ];
  say(lines.join('\n'));
});
