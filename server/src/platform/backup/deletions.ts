import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { parsedJson } from '../parsed-json.ts';
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

/** One file for each month, a line for each deletion: only whole files are removed, so that several processes may add lines. */
const NAME = /^deletions-(?<month>\d{4}-\d\d)\.jsonl$/u;

/**
 * Notes beside the backups, before it is done, that something is deleted for good, so that no restored backup brings it back. What can't be
 * noted is deleted all the same, and logged.
 */
export async function noteDeletion({ config, log }: Pick<Deps, 'config' | 'log'>, deletion: Deletion): Promise<void> {
  const folder = backupsOf(config);
  const month = new Date().toISOString().slice(0, 7);
  try {
    const file = join(folder, `deletions-${month}.jsonl`);
    if (!existsSync(file)) openMonth(folder);
    await appendFile(file, `${JSON.stringify(deletion)}\n`, { mode: 0o600, flush: true });
  } catch (error) {
    log.error('deletion.not_noted', error, { kind: deletion.kind });
  }
}

function openMonth(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of monthsIn(folder)) {
    const month = new Date(`${NAME.exec(name)?.groups?.month}-01T00:00:00Z`);
    const end = month.setUTCMonth(month.getUTCMonth() + 1);
    if (Date.now() - end > DELETIONS_DAYS * DAY_MS) rmSync(join(folder, name));
  }
}

const monthsIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => NAME.test(name)) : [];

/** What is noted in a folder of backups. A line that a killed process has left unfinished counts for nothing. */
export function deletionsIn(folder: string): Deletion[] {
  return monthsIn(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .flatMap((line) => shape.safeParse(parsedJson(line)).data ?? []);
}

/** Adds to an installation what is noted beside a backup that is restored there; returns how many deletions are known then. */
export async function takeDeletions(from: string, config: Parameters<typeof backupsOf>[0]): Promise<number> {
  const to = backupsOf(config);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  if (resolve(from) !== to) {
    for (const name of monthsIn(from)) {
      await appendFile(join(to, name), `\n${readFileSync(join(from, name), 'utf8')}`, { mode: 0o600, flush: true });
    }
  }
  return deletionsIn(to).length;
}
