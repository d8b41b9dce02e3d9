import { UNNAMED_AGENT } from '@atelier/contract/agents';
import { agentFile } from '@atelier/contract/agents/agent-file';
import { cleanName } from '@atelier/contract/names/names';
import {
  ACCOUNT_ARCHIVE_VERSION,
  archiveManifest,
  IMPORT_LIMITS,
  IMPORT_SENTENCES,
  importKind,
} from '@atelier/contract/transfer/imports';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { unstorableField } from '../../platform/http/storable.ts';
import { parsedJson } from '../../platform/parsed-json.ts';
import { BadZip, linesOf, openZip, type ZipPart } from '../../platform/zip/zip-file.ts';
import { partOf } from './own-tables.table.ts';

/** Rows in one transaction: everyone waits for it on the embedded database. */
const PORTION = 100;
/** The longest row, in characters: an exchange with long answers of tools. */
const ROW_CHARS = 4 * 1024 * 1024;
const MANIFEST_BYTES = 10_000;
const AGENT_FILE_BYTES = 512 * 1024;
/** How many agents a preview names. */
const AGENT_NAMES = 10;

/** An account's archive, opened; see own-data for how it is written. */
export interface Archive {
  madeAt: Date;
  /** Agents by their id in the archive. */
  agents: ReadonlyMap<string, ZipPart>;
  /** The uploaded files by their id in the archive. */
  files: ReadonlyMap<string, ZipPart>;
  /** The pictures and files of messages, in the same way. */
  attachments: ReadonlyMap<string, ZipPart>;
  /** The rows of a file in portions: what was deleted or forgotten there, or the rest; `null` stands for a row that can't be read. */
  rows(file: string, isGone?: boolean): AsyncGenerator<unknown[]>;
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
      rows: (file, isGone = false) => rowsOf(parts.get(file), isGone),
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
  const manifest = archiveManifest.safeParse(part && (await readJson(part, MANIFEST_BYTES)));
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
  const named = new Map<string, ZipPart>();
  for (const [name, part] of parts) {
    const id = name.slice(folder.length, folder.length + 36);
    if (name.startsWith(folder) && isUuid(id)) named.set(id, part);
  }
  return named;
}

/** Null for what is no JSON, and for what the database can't store. */
function parse(text: string): unknown {
  const value = parsedJson(text) ?? null;
  return unstorableField(value) === null ? value : null;
}

/** A whole part as JSON; null when it is too large or not valid. */
async function readJson(part: ZipPart, maxBytes: number): Promise<unknown> {
  if (part.size > maxBytes) return null;
  let text = '';
  for await (const line of linesOf(part, maxBytes)) text += `${line ?? ''}\n`;
  return parse(text);
}

const gone = z.union([z.object({ deletedAt: z.string() }), z.object({ forgottenAt: z.string() })]);

async function* rowsOf(part: ZipPart | undefined, isGone: boolean): AsyncGenerator<unknown[]> {
  if (part === undefined) return;
  let portion: unknown[] = [];
  let chars = 0;
  for await (const line of linesOf(part, ROW_CHARS)) {
    const text = line?.trim().replace(/,$/u, '');
    if (text === '' || text === '[' || text === ']' || text === '[]') continue;
    const row = text === undefined ? null : parse(text);
    if (gone.safeParse(row).success !== isGone) continue;
    portion.push(row);
    chars += text?.length ?? 0;
    if (portion.length < PORTION && chars < ROW_CHARS) continue;
    yield portion;
    portion = [];
    chars = 0;
  }
  if (portion.length > 0) yield portion;
}

const namedFile = z.looseObject({ agent: z.looseObject({ name: z.string() }) });

/** An agent of the archive; null when its file is not valid. One without anything visible in its name comes along with its sessions. */
export async function readAgent(part: ZipPart) {
  const json = await readJson(part, AGENT_FILE_BYTES);
  const { data } = namedFile.safeParse(json);
  const isUnnamed = data !== undefined && data.agent.name.trim() !== '' && cleanName(data.agent.name) === '';
  const file = isUnnamed ? { ...data, agent: { ...data.agent, name: UNNAMED_AGENT } } : json;
  return agentFile.safeParse(file).data ?? null;
}

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
    let count = kind === 'agents' ? archive.agents.size : 0;
    if (kind !== 'agents') for await (const rows of archive.rows(partOf(kind).file)) count += rows.length;
    counts.push({ kind, found: count, imported: 0, present: 0, left: 0 });
  }
  return { agentNames, counts };
}
