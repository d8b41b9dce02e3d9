import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Deps } from '../deps.ts';
import { parsedJson } from '../parsed-json.ts';
import type { BackupFiles } from './backup-files.ts';
import { backupsOf } from './daily.ts';

/** How long it is known what was deleted; an older backup may bring something back. */
export const DELETIONS_DAYS = 90;
const DAY_MS = 86_400_000;

const shape = z.object({
  kind: z.enum(['account', 'agent', 'session', 'exchange', 'memory', 'fact', 'file', 'share', 'key', 'prompt']),
  userId: z.string(),
  /** None for an account. */
  ids: z.array(z.uuid()),
  /** Of an exchange. */
  sessionId: z.uuid().optional(),
});
/** What a person deleted for good, by its ids: an earlier backup still has its words. */
export type Deletion = z.infer<typeof shape>;

/** Files of each month, a line for each deletion: only whole files are removed, so that several processes may add lines. */
const NAME = /^deletions-(?<month>\d{4}-\d\d)\.jsonl(?:\.[\w-]{36})?$/u;
const fileOf = (folder: string, month: string) => join(folder, `deletions-${month}.jsonl`);
const monthOf = (path: string) => NAME.exec(basename(path))?.groups?.month ?? '';

/** The last month that a process has seen begin. */
let begun = '';

/**
 * Notes beside the backups, before it is done, that something is deleted for good, so that no restored backup brings it back. What can't be
 * noted is deleted all the same, and logged.
 */
export async function noteDeletion({ config, log }: Pick<Deps, 'config' | 'log'>, deletion: Deletion): Promise<void> {
  const files = backupsOf(config);
  const month = new Date().toISOString().slice(0, 7);
  try {
    if (begun !== month) await tidyDeletions(files);
    begun = month;
    await files.append(fileOf(files.folder, month), `${JSON.stringify(deletion)}\n`);
  } catch (error) {
    log.error('deletion.not_noted', error, { kind: deletion.kind });
  }
}

/** Removes what is older than it need be, and makes one file of those that a month has in a bucket. */
export async function tidyDeletions(files: BackupFiles): Promise<void> {
  for (const [month, paths] of Map.groupBy(await notesIn(files), monthOf)) {
    const first = new Date(`${month}-01T00:00:00Z`);
    const isOver = Date.now() - first.setUTCMonth(first.getUTCMonth() + 1) > DELETIONS_DAYS * DAY_MS;
    if (!isOver && paths.length === 1) continue;
    // Under a name of its own: another process may do the same.
    if (!isOver) await files.append(fileOf(files.folder, month), await readAll(files, paths));
    for (const path of paths) await files.remove(path);
  }
}

const notesIn = async (files: BackupFiles): Promise<string[]> =>
  (await files.list(files.folder)).filter((path) => NAME.test(basename(path)));

async function readAll(files: BackupFiles, paths: string[]): Promise<string> {
  const read: string[] = [];
  for (const path of paths) read.push(await text(await files.open(path)));
  return read.join('\n');
}

/** What is noted in a folder of backups. A line that a killed process has left unfinished counts for nothing. */
export async function deletionsIn(files: BackupFiles): Promise<Deletion[]> {
  const lines = (await readAll(files, await notesIn(files))).split('\n');
  return lines.flatMap((line) => shape.safeParse(parsedJson(line)).data ?? []);
}

/** Adds to an installation what is noted beside a backup that is restored there; returns how many deletions are known then. */
export async function takeDeletions(from: BackupFiles, config: Config): Promise<number> {
  const to = backupsOf(config);
  if (from.shown(from.folder) !== to.shown(to.folder)) {
    for (const path of await notesIn(from))
      await to.append(fileOf(to.folder, monthOf(path)), `\n${await readAll(from, [path])}`);
  }
  return (await deletionsIn(to)).length;
}
