import type { ImportKind } from '@atelier/contract/transfer/imports';
import { z } from 'zod';
import { linesOf, type ZipPart } from '../../../platform/zip/zip-file.ts';
import { parse } from './read-json.ts';

/** Rows in one transaction: everyone waits for it on the embedded database. */
const PORTION = 100;
/** The longest row: an exchange with long answers of tools. */
const ROW_CHARS = 4 * 1024 * 1024;

/** The parts whose rows stand in a file of their own, a row on each line. */
export type RowKind = Exclude<ImportKind, 'agents' | 'files' | 'attachments'>;
export type NamedRows = RowKind | 'attachments' | 'branches' | 'files' | 'folders';
export const ROW_FILES: Record<NamedRows, string> = {
  folders: 'session-folders.json',
  sessions: 'sessions.json',
  exchanges: 'exchanges.json',
  branches: 'branches.json',
  summaries: 'session-summaries.json',
  memories: 'memories.json',
  facts: 'facts.json',
  files: 'files.json',
  prompts: 'prompts.json',
  attachments: 'attachments.json',
};

/** Rows of what was deleted or forgotten there, or of the rest. */
export async function* rowsOf(part: ZipPart | undefined, isGone: boolean): AsyncGenerator<unknown[]> {
  if (part === undefined) return;
  let portion: unknown[] = [];
  let chars = 0;
  for await (const line of linesOf(part, ROW_CHARS)) {
    const text = line?.trim().replace(/,$/u, '');
    if (text === '' || text === '[' || text === ']' || text === '[]') continue;
    const row = text === undefined ? null : parse(text);
    if (wasDeleted(row) !== isGone) continue;
    portion.push(row);
    chars += text?.length ?? 0;
    if (portion.length < PORTION && chars < ROW_CHARS) continue;
    yield portion;
    portion = [];
    chars = 0;
  }
  if (portion.length > 0) yield portion;
}

const gone = z.union([z.object({ deletedAt: z.string() }), z.object({ forgottenAt: z.string() })]);
const wasDeleted = (row: unknown) => gone.safeParse(row).success;
