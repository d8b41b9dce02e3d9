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

/** The file of the last month that this process has seen begin. */
let begun = '';

/**
 * Notes beside the backups, before it is done, that something is deleted for good, so that no restored backup brings it back. What can't be
 * noted is deleted all the same, and logged.
 */
export async function noteDeletion({ config, log }: Pick<Deps, 'config' | 'log'>, deletion: Deletion): Promise<void> {
  const files = backupsOf(config);
  const file = fileOf(files.folder, new Date().toISOString().slice(0, 7));
  try {
    await files.append(file, `${JSON.stringify(deletion)}\n`);
  } catch (error) {
    return log.error('deletion.not_noted', error, { kind: deletion.kind });
  }
  if (begun === file) return;
  begun = file;
  await tidyDeletions(files).catch((error: unknown) => log.error('deletions.not_tidied', error));
}

/** Removes what is older than it need be, and makes one file of those that a month has in a bucket. */
export async function tidyDeletions(files: BackupFiles): Promise<void> {
  for (const [month, paths] of Map.groupBy(await notesIn(files), monthOf)) {
    const first = new Date(`${month}-01T00:00:00Z`);
    const isOver = Date.now() - first.setUTCMonth(first.getUTCMonth() + 1) > DELETIONS_DAYS * DAY_MS;
    if (!isOver && paths.length === 1) continue;
    const file = fileOf(files.folder, month);
    const old = isOver ? paths : paths.filter((path) => path !== file);
    const notes: string[] = [];
    if (!isOver) for (const path of old) notes.push(await readNote(files, path));
    // In a bucket under a name of its own: another process may do the same.
    if (notes.some((text) => text !== '')) await files.append(file, `\n${notes.join('\n')}\n`);
    for (const path of old) await files.remove(path);
  }
}

const notesIn = async (files: BackupFiles): Promise<string[]> =>
  (await files.list(files.folder)).filter((path) => NAME.test(basename(path)));

/** Nothing where another process has tidied meanwhile: then a file has it that is listed later. */
async function readNote(files: BackupFiles, path: string): Promise<string> {
  try {
    return await text(await files.open(path));
  } catch (error) {
    if (await files.has(path)) throw error;
    return '';
  }
}

/** The text of each file of notes. Lists again until nothing is new: another process may merge files while these are read. */
async function readNotes(files: BackupFiles): Promise<Map<string, string>> {
  const read = new Map<string, string>();
  const unread = async () => (await notesIn(files)).filter((path) => !read.has(path));
  for (let paths = await unread(); paths.length > 0; paths = await unread())
    for (const path of paths) read.set(path, await readNote(files, path));
  return read;
}

/** What is noted in a folder of backups. A line that a killed process has left unfinished counts for nothing. */
export async function deletionsIn(files: BackupFiles): Promise<Deletion[]> {
  const lines = [...(await readNotes(files)).values()].join('\n').split('\n');
  return lines.flatMap((line) => shape.safeParse(parsedJson(line)).data ?? []);
}

/** Adds to an installation what is noted beside a backup that is restored there; returns how many deletions are known then. */
export async function takeDeletions(from: BackupFiles, config: Config): Promise<number> {
  const to = backupsOf(config);
  if (from.shown(from.folder) !== to.shown(to.folder)) {
    for (const [path, notes] of await readNotes(from)) await to.append(fileOf(to.folder, monthOf(path)), `\n${notes}`);
  }
  return (await deletionsIn(to)).length;
}
