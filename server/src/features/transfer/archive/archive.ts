import {
  ACCOUNT_ARCHIVE_VERSION,
  archiveManifest,
  IMPORT_LIMITS,
  IMPORT_SENTENCES,
} from '@atelier/contract/transfer/imports';
import { validate as isUuid } from 'uuid';
import { AppError } from '../../../platform/errors.ts';
import { BadZip, openZip, type ZipPart } from '../../../platform/zip/zip-file.ts';
import { readJson } from './read-json.ts';
import { type NamedRows, ROW_FILES, rowsOf } from './read-rows.ts';

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
