import { type Config, readConfig } from './config.ts';
import { secretsOfInstallation } from './platform/backup/installation.ts';
import { databasePlace, move, stay } from './platform/backup/move.ts';
import { runCommand, say, shownSize, showProgress } from './platform/backup/operator-terminal.ts';
import { addSecrets } from './platform/database/folder/data-folder.ts';
import { filesPlace } from './platform/storage/storage.ts';

const USAGE = `Usage, while no server runs:
  npm run move -- --to DATABASE_URL  moves the database to PostgreSQL, into an empty database
  npm run move -- --to embedded      moves it from PostgreSQL into DATA_DIR
  npm run move -- --bucket NAME      moves uploaded files into a bucket, by S3_ENDPOINT, S3_REGION and the keys
  npm run move -- --folder           moves them from the bucket into DATA_DIR/files
  npm run move -- --stay             lets the place that the settings name be used again, after it was moved away from
--to goes together with --bucket or --folder.`;

interface Target {
  to?: string | undefined;
  bucket?: string | undefined;
  folder?: boolean | undefined;
}

function targetOf(config: Config, { to, bucket, folder }: Target): Config {
  const DATABASE_URL = to === undefined ? config.DATABASE_URL : to === 'embedded' ? undefined : to;
  const S3_BUCKET = folder === true ? undefined : (bucket ?? config.S3_BUCKET);
  return { ...config, DATABASE_URL, S3_BUCKET };
}

/** What the settings must say from now on. */
function adviceOn(from: Config, to: Config): string[] {
  const lines: string[] = [];
  if (to.DATABASE_URL !== from.DATABASE_URL) {
    lines.push(to.DATABASE_URL === undefined ? 'Remove DATABASE_URL.' : 'Set DATABASE_URL to that database.');
  }
  if (to.S3_BUCKET !== from.S3_BUCKET) {
    lines.push(to.S3_BUCKET === undefined ? 'Remove S3_BUCKET.' : `Set S3_BUCKET=${to.S3_BUCKET}.`);
  }
  if (to.DATABASE_URL !== undefined && from.AUTH_SECRET === undefined && from.DATABASE_URL === undefined) {
    lines.push('Set AUTH_SECRET to the first line of the file secret in DATA_DIR, and AUTH_SECRET_OLD to any others.');
  }
  return lines;
}

const OPTIONS = {
  to: { type: 'string' },
  bucket: { type: 'string' },
  folder: { type: 'boolean' },
  stay: { type: 'boolean' },
} as const;

await runCommand(process.env, OPTIONS, async ({ values, positionals }, config) => {
  const { stay: stays, ...target } = values;
  const isUnclear = target.bucket !== undefined && target.folder === true;
  if (positionals.length > 0 || isUnclear || Object.keys(target).length > 0 === (stays === true))
    throw new Error(USAGE);
  if (stays === true) {
    await stay(config);
    return say(`${databasePlace(config)} and ${filesPlace(config)} are in use again: npm start`);
  }
  const to = targetOf(config, target);
  // Read as the server will: a wrong address is found before anything begins.
  readConfig({ ...process.env, DATABASE_URL: to.DATABASE_URL, S3_BUCKET: to.S3_BUCKET });
  const progress = showProgress('Moved');
  const { tables, rows, files, bytes } = await move(config, to, progress.show).finally(progress.end);
  if (to.DATABASE_URL === undefined && config.DATABASE_URL !== undefined) {
    addSecrets(config.DATA_DIR, secretsOfInstallation(config));
  }
  say(`Moved to ${databasePlace(to)}, files in ${filesPlace(to)}.`);
  say(`Compared there: ${tables} tables with ${rows} rows, ${files} files (${shownSize(bytes)}); all are the same.`);
  for (const line of adviceOn(config, to)) say(line);
  say('The old place is as it was, and refuses to start. To use it again all the same: npm run move -- --stay');
});
