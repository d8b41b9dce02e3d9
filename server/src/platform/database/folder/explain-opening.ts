import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { dropEnd } from '../../trim.ts';

/** PostgreSQL did not start; its reason is among the lines that it wrote. */
export class OpeningFailed extends Error {
  readonly reason: string;

  constructor(messages: readonly string[], cause: unknown) {
    super('PostgreSQL did not start', { cause });
    this.name = 'OpeningFailed';
    this.reason =
      reasonIn(messages) ?? (cause instanceof Error && cause.message ? cause.message : JSON.stringify(cause));
  }
}

/** What precedes PostgreSQL's reason. Its lines begin with the time and the process. */
const LEVELS = ['PANIC:', 'FATAL:', 'postgres:'];

/** The reason among the lines of a start that failed: no statement has run yet, so no word of a person is in it. */
function reasonIn(messages: readonly string[]): string | undefined {
  const after = (line: string, level: string) => dropEnd(line.slice(line.indexOf(level) + level.length).trim(), /\./u);
  for (const [at, line] of messages.entries()) {
    const level = LEVELS.find((word) => line.includes(word));
    if (level === undefined) continue;
    const next = messages[at + 1] ?? '';
    const detail = next.includes('DETAIL:') ? `: ${after(next, 'DETAIL:')}` : '';
    return `${after(line, level)}${detail}`;
  }
  return undefined;
}

/** What PostgreSQL's file system, Node and PostgreSQL call a full disk. */
const EMSCRIPTEN_FULL = 51;
const FULL = new Set<unknown>(['ENOSPC', '53100']);
/** A missing file, a page and an index that can't be read. */
const DAMAGED = new Set<unknown>(['58P01', 'XX001', 'XX002']);

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);

function isFull(error: unknown): boolean {
  if (FULL.has(codeOf(error))) return true;
  if (typeof error !== 'object' || error === null) return false;
  if ('errno' in error && error.errno === EMSCRIPTEN_FULL) return true;
  if (error instanceof OpeningFailed && error.reason.includes('No space left on device')) return true;
  return 'cause' in error && isFull(error.cause);
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof OpeningFailed) return error.reason;
  if (!(error instanceof Error)) return undefined;
  return DAMAGED.has(codeOf(error)) ? error.message : reasonOf(error.cause);
}

/** Why a database of a folder doesn't open, as one sentence with what to do; any other error as it is. */
export function explainOpening(root: string, cause: unknown): unknown {
  if (isFull(cause)) {
    return new Error(
      `The disk of the data folder ${root} is full, so the database can’t be opened. Nothing that was saved is lost. Free some space, then start again.`,
      { cause },
    );
  }
  const reason = reasonOf(cause);
  if (reason === undefined) return cause;
  return new Error(
    `The database in ${join(root, 'db')} can’t be opened: ${reason}. A file of it may be damaged or missing. Keep a copy of the folder ${root} as it is, then put your last backup in its place; backups from before updates are in ${join(root, 'backups')}.`,
    { cause },
  );
}

/** Throws when the file of a table or index is gone, which PostgreSQL itself notices at the first statement that needs it. */
export async function requireFiles(pglite: PGlite, db: string): Promise<void> {
  const { rows } = await pglite.query<{ path: string }>(
    `select pg_relation_filepath(oid) as path from pg_class where relkind in ('r', 'i', 't', 'S', 'm')`,
  );
  const lost = rows.find(({ path }) => !existsSync(join(db, path)));
  if (lost === undefined) return;
  throw Object.assign(new Error(`could not open file "${lost.path}": No such file or directory`), { code: '58P01' });
}
