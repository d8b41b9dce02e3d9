import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { parsedJson } from '../parsed-json.ts';
import { createStorage } from '../storage/storage.ts';
import { type BackupFiles, filesAt } from './backup-files.ts';
import { type Retention, sizeOf } from './backup-folder.ts';
import { shownSize } from './operator-terminal.ts';

/** How many daily backups are kept, a day each. */
export const DAILY_MAX = 14;
/** A backup that fails is tried again after so long; one that is later counts as missing. */
const AGAIN_MS = 3_600_000;
const LATE_MS = 2 * AGAIN_MS;
const DAY_MS = 24 * AGAIN_MS;

/** A bucket is connected to once. */
const opened = new WeakMap<Config, BackupFiles>();

/** The folder of an installation's backups, and for what must be known when one is restored. */
export function backupsOf(config: Config): BackupFiles {
  const files = opened.get(config) ?? filesAt(config.BACKUP_DIR ?? join(config.DATA_DIR, 'backups'), config);
  opened.set(config, files);
  return files;
}

/** Where a backup is made each day; null where none is. */
export function dailyBackups(config: Config): BackupFiles | null {
  const hasPlace = config.BACKUP_DIR !== undefined || config.DATABASE_URL === undefined;
  return hasPlace && config.BACKUP_TIME !== 'off' ? backupsOf(config) : null;
}

const shape = z.object({
  /** When this was first looked at: nothing is missing from before. */
  since: z.coerce.date(),
  madeAt: z.coerce.date().optional(),
  /** Of an attempt since then. */
  failed: z.object({ at: z.coerce.date(), because: z.string() }).optional(),
});
/** What is known of the daily backups of a folder. */
export type Daily = z.infer<typeof shape>;

const fileOf = ({ folder }: BackupFiles) => join(folder, 'daily.json');

/** Null before the first look. Throws where the folder can't be read. */
export async function readDaily(files: BackupFiles): Promise<Daily | null> {
  if (!(await files.has(fileOf(files)))) return null;
  return shape.safeParse(parsedJson(await text(await files.open(fileOf(files))))).data ?? null;
}

/** The same, and notes the first look. Throws where the folder can't be read or written. */
export async function beginDaily(files: BackupFiles): Promise<Daily> {
  return (await readDaily(files)) ?? (await writeDaily(files, { since: new Date() }));
}

export async function writeDaily(files: BackupFiles, daily: Daily): Promise<Daily> {
  await files.put(fileOf(files), JSON.stringify(daily));
  return daily;
}

/** When one was last due before this moment; `time` is that of a day here, such as 03:30. */
function lastDue(time: string, now: Date): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = new Date(now).setHours(hours, minutes, 0, 0);
  return new Date(today <= now.getTime() ? today : new Date(today - DAY_MS / 2).setHours(hours, minutes, 0, 0));
}

const isMissing = ({ since, madeAt = since }: Daily, time: string, at: number) => madeAt < lastDue(time, new Date(at));

/** Whether one should be made now. */
export const isDue = (daily: Daily, time: string, now = Date.now()): boolean =>
  isMissing(daily, time, now) && now - (daily.failed?.at.getTime() ?? 0) >= AGAIN_MS;

/** Whether one should have been made long ago. */
export const isLate = (daily: Daily, time: string, now = Date.now()): boolean => isMissing(daily, time, now - LATE_MS);

/** What is kept of daily backups; in the data folder a tenth of the free disk at most. Throws where one alone might take more. */
export async function dailyRetention(config: Config, files: BackupFiles): Promise<Retention> {
  if (config.BACKUP_DIR !== undefined) return { keep: DAILY_MAX, bytes: Number.POSITIVE_INFINITY };
  const { bavail, bsize } = await statfs(config.DATA_DIR);
  const bytes = (bavail * bsize + (await sizeOf(files))) / 10;
  const needed = await sizeOfInstallation(config);
  if (needed <= bytes) return { keep: DAILY_MAX, bytes };
  throw new Error(
    `A backup may take ${shownSize(needed)}, more than a tenth of the free disk at ${files.folder}. Set BACKUP_DIR to a folder on another disk, or BACKUP_TIME=off.`,
  );
}

async function sizeOfInstallation(config: Config): Promise<number> {
  let size = 0;
  for (const entry of await readdir(join(config.DATA_DIR, 'db'), { recursive: true, withFileTypes: true })) {
    // PostgreSQL removes files of its own meanwhile.
    if (entry.isFile())
      size += await stat(join(entry.parentPath, entry.name)).then(
        (file) => file.size,
        () => 0,
      );
  }
  const storage = createStorage(config);
  if (storage.kind === 'folder') for await (const file of storage.list('userFiles')) size += file.size;
  return size;
}
