import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { PRODUCT_NAME } from '@atelier/contract/product';
import type { Config } from '../../config.ts';
import type { BackupFiles } from '../../platform/backup/backup-files.ts';
import { BUSY_CODE } from '../../platform/backup/backup-folder.ts';
import {
  beginDaily,
  DAILY_MAX,
  type Daily,
  dailyBackups,
  isDue,
  isLate,
  readDaily,
  writeDaily,
} from '../../platform/backup/daily.ts';
import type { Deps } from '../../platform/deps.ts';
import { sentenceOf } from '../../platform/logged-error.ts';
import type { Metrics } from '../../platform/metrics.ts';

type Ctx = Pick<Deps, 'config' | 'jobs' | 'log' | 'mail'>;

const QUEUE = 'backups.daily';
const PROGRAM = fileURLToPath(new URL('../../backup.ts', import.meta.url));

/** Has a backup made each day, by whichever process looks first when it is due; call once, before the jobs start. */
export function registerBackupJobs(ctx: Ctx): void {
  const files = dailyBackups(ctx.config);
  if (files === null) return;
  const backUpIfDue = createBackUpIfDue(ctx, files);
  let running: Promise<void> | undefined;
  const look = async () => {
    // A job has to end within minutes; a backup may take hours.
    running ??= backUpIfDue()
      .catch((error: unknown) => ctx.log.error('backup.failed', error))
      .finally(() => (running = undefined));
  };
  ctx.jobs.handle(QUEUE, look, { cron: '*/10 * * * *', retryLimit: 0 });
}

function createBackUpIfDue(ctx: Ctx, files: BackupFiles): () => Promise<void> {
  const folder = files.shown(files.folder);
  const { BACKUP_TIME: time } = ctx.config;
  // Also kept here, because the folder may be what fails. One that was never read counts as due.
  let known: Daily = { since: new Date(0) };
  const fail = async (because: string) => {
    const isFirst = known.failed === undefined;
    known = { ...known, failed: { at: new Date(), because } };
    if (isFirst) await mailFailure(ctx, because);
  };
  return async () => {
    try {
      const daily = await beginDaily(files);
      const failed = (known.failed?.at ?? 0) > (daily.madeAt ?? 0) ? known.failed : daily.failed;
      known = isDue(daily, time) ? { ...daily, failed } : daily;
    } catch (error) {
      ctx.log.error('backup.failed', error);
      return isDue(known, time) ? fail(sentenceOf(error)) : undefined;
    }
    if (!isDue(known, time)) return;
    const { code, because } = await runBackup();
    if (code === BUSY_CODE && !isLate(known, time)) return;
    if (code === 0) return ctx.log.info('backup.made', { folder });
    ctx.log.info('backup.failed', { folder, because });
    await fail(because);
    await writeDaily(files, known);
  };
}

/** Runs the command, which notes a success itself, in a process of its own that ends with this one. */
async function runBackup(): Promise<{ code: number | null; because: string }> {
  const child = spawn(process.execPath, [PROGRAM, '--daily'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = new Promise<number | null>((done, fail) => child.once('exit', done).once('error', fail));
  const end = () => void child.kill();
  process.once('exit', end);
  try {
    const [code, because] = await Promise.all([exited, text(child.stderr)]);
    return { code, because: because.trim() || `The process ended with ${code ?? 'a signal'}.` };
  } finally {
    process.off('exit', end);
  }
}

async function mailFailure({ mail, log }: Ctx, because: string): Promise<void> {
  if (mail.kind === 'off') return;
  const { result, note } = await mail.send({
    messageId: randomUUID(),
    subject: `${PRODUCT_NAME}: the daily backup failed`,
    text: `${because}\n\nIt is tried again each hour. Another mail comes only after one has been made and the next fails.`,
    replyTo: null,
  });
  if (result !== 'sent') log.info('backup.not_mailed', { result, note });
}

const WHEN = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short' });

/** How the daily backups of a folder are, in words for the operator; throws what is wrong with them. */
export async function checkBackups(files: BackupFiles, time: string): Promise<string> {
  // The first look notes itself, and so finds a folder that takes nothing.
  const daily = await beginDaily(files);
  if (daily.failed !== undefined) throw new Error(daily.failed.because);
  if (isLate(daily, time)) throw new Error(`There is none of today: ${lastOf(daily)}.`);
  return daily.madeAt === undefined ? 'the first comes by itself' : lastOf(daily);
}

const lastOf = ({ madeAt }: Daily) =>
  madeAt === undefined ? 'none was made yet' : `the last was made at ${WHEN.format(madeAt)}`;

/** Where backups go and whether they are encrypted, for the start. */
export function describeBackups(config: Config): string {
  const files = dailyBackups(config);
  if (files === null) return 'none by themselves (BACKUP_DIR names a folder for one each day)';
  const isPlain = config.BACKUP_PASSPHRASE === undefined && config.BACKUP_PASSPHRASE_FILE === undefined;
  const lock = isPlain ? 'not encrypted (BACKUP_PASSPHRASE encrypts them, ' : 'encrypted (';
  return `each day at ${config.BACKUP_TIME} in ${files.shown(files.folder)}, the last ${DAILY_MAX}, ${lock}BACKUP_TIME=off makes none)`;
}

/** When the last daily backup was made; null where there is none. Throws where the folder can't be read. */
export async function lastBackupAt(config: Config): Promise<Date | null> {
  const files = dailyBackups(config);
  return files === null ? null : ((await readDaily(files))?.madeAt ?? null);
}

/** Adds figures of the daily backups. */
export function measureBackups(config: Config, metrics: Metrics): void {
  const files = dailyBackups(config);
  if (files === null) return;
  const isWrong = () =>
    checkBackups(files, config.BACKUP_TIME).then(
      () => 0,
      () => 1,
    );
  metrics.add('backup_failed', '1 while the last daily backup failed or is missing.', isWrong);
  const seconds = async () => ((await lastBackupAt(config))?.getTime() ?? 0) / 1000;
  const about = 'When the last daily backup was made and proven; 0 before the first.';
  metrics.add('backup_last_made_timestamp_seconds', about, () => seconds().catch(() => 0));
}
