import { agentFile } from '@atelier/contract/agent-file';
import { FILE_LIMITS } from '@atelier/contract/files';
import {
  ACCOUNT_ARCHIVE_VERSION,
  archiveManifest,
  IMPORT_LIMITS,
  IMPORT_SENTENCES,
  type ImportKind,
  importKind,
} from '@atelier/contract/imports';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { unstorableField } from '../../platform/http/storable.ts';
import { BadZip, linesOf, openZip, type ZipPart } from '../../platform/zip/zip-file.ts';

/** Rows in one transaction: everyone waits for it on the embedded database. */
const PORTION = 100;
/** The longest row: an exchange with long answers of tools. */
const ROW_CHARS = 4 * 1024 * 1024;
const AGENT_FILE_BYTES = 512 * 1024;

/** The parts whose rows stand in a file of their own, a row on each line. */
export type RowKind = Exclude<ImportKind, 'agents' | 'files' | 'attachments'>;
type NamedRows = RowKind | 'attachments' | 'branches' | 'files' | 'folders';
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

/** An account's archive, opened; see own-data for how it is written. */
export interface Archive {
  madeAt: Date;
  /** Agents by their id in the archive. */
  agents: ReadonlyMap<string, ZipPart>;
  /** The uploaded files by their id in the archive. */
  files: ReadonlyMap<string, ZipPart>;
  /** The pictures and files of messages, in the same way. */
  attachments: ReadonlyMap<string, ZipPart>;
  /** Rows of one kind in portions; `null` stands for a row that can't be read. */
  rows(kind: NamedRows | 'deleted agents'): AsyncGenerator<unknown[]>;
  close: () => void;
}

const refused = (sentence: string) => new AppError('invalid_input', sentence, { field: 'file' });

/** Opens an archive on disk and checks its size, unpacked too, and its version. Throws a sentence for the person. */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await openZip(path, IMPORT_LIMITS.entries).catch((error: unknown) => {
    if (!(error instanceof BadZip)) throw error;
    throw refused(error.reason === 'too large' ? IMPORT_SENTENCES.tooMuch : IMPORT_SENTENCES.notOurs);
  });
  try {
    const { parts, close } = zip;
    const { madeAt } = await readManifest(parts.get('archive.json'));
    requireRoom(parts);
    return {
      madeAt: new Date(madeAt),
      agents: byId(parts, 'agents/'),
      files: byId(parts, 'files/'),
      attachments: byId(parts, 'attachments/'),
      rows: (kind) =>
        kind === 'deleted agents' ? rowsOf(parts.get('agents.json'), true) : rowsOf(parts.get(ROW_FILES[kind]), false),
      close,
    };
  } catch (error) {
    zip.close();
    throw asRefusal(error);
  }
}

/** What to tell a person of an archive that turns out to be damaged while it is read; other errors stay what they are. */
export const asRefusal = (error: unknown) => (error instanceof BadZip ? refused(IMPORT_SENTENCES.damaged) : error);

async function readManifest(part: ZipPart | undefined) {
  const manifest = archiveManifest.safeParse(part && (await readJson(part, 10_000)));
  if (!manifest.success) throw refused(IMPORT_SENTENCES.notOurs);
  if (manifest.data.version > ACCOUNT_ARCHIVE_VERSION) throw refused(IMPORT_SENTENCES.version);
  return manifest.data;
}

/** The sizes are those that the archive names; unpacking fails where they aren't true. */
function requireRoom(parts: ReadonlyMap<string, ZipPart>) {
  let words = 0;
  const isWords = (name: string) => !name.startsWith('files/') && !name.startsWith('attachments/');
  for (const [name, { size }] of parts) if (isWords(name)) words += size;
  if (words > IMPORT_LIMITS.words) throw refused(IMPORT_SENTENCES.tooMuch);
}

/** Parts of a folder by the id that their names begin with. */
function byId(parts: ReadonlyMap<string, ZipPart>, folder: string): Map<string, ZipPart> {
  const found = new Map<string, ZipPart>();
  for (const [name, part] of parts) {
    const id = name.slice(folder.length, folder.length + 36);
    if (name.startsWith(folder) && isUuid(id)) found.set(id, part);
  }
  return found;
}

/** Rows of what was deleted or forgotten there, or of the rest. */
async function* rowsOf(part: ZipPart | undefined, isGone: boolean): AsyncGenerator<unknown[]> {
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

/** Null for what is no JSON, and for what the database can't store. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return unstorableField(value) === null ? value : null;
  } catch {
    return null;
  }
}

async function readJson(part: ZipPart, maxBytes: number): Promise<unknown> {
  if (part.size > maxBytes) return null;
  let text = '';
  for await (const line of linesOf(part, maxBytes)) text += `${line ?? ''}\n`;
  return parse(text);
}

/** An agent of the archive; null when its file is not valid. */
export async function readAgent(part: ZipPart) {
  const parsed = agentFile.safeParse(await readJson(part, AGENT_FILE_BYTES));
  return parsed.success ? parsed.data : null;
}

/** Whether a file may be unpacked at all. */
export const isSmallEnough = ({ size }: ZipPart) => size <= FILE_LIMITS.bytes;

const AGENT_NAMES = 10;

/** How much of each kind an archive holds, and the names of some agents. */
export async function survey(archive: Archive) {
  const agentNames: string[] = [];
  for (const part of archive.agents.values()) {
    if (agentNames.length === AGENT_NAMES) break;
    const file = await readAgent(part);
    if (file !== null) agentNames.push(file.agent.name);
  }
  const counts = [];
  for (const kind of importKind.options) {
    const found = kind === 'agents' ? archive.agents.size : await countRows(archive, kind);
    counts.push({ kind, found, imported: 0, present: 0, left: 0 });
  }
  return { agentNames, counts };
}

async function countRows(archive: Archive, kind: RowKind | 'attachments' | 'files') {
  let count = 0;
  for await (const portion of archive.rows(kind)) count += portion.length;
  return count;
}
