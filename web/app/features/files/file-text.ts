import { type AgentFileEntry, FILE_LIMITS, FILE_SENTENCES, FILE_TYPES, fileTypeOf } from '@atelier/contract/files';
import type { Task } from '@atelier/contract/runs';
import { filePassages } from '@atelier/contract/tools';

/** `820 B`, `12 KB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kb = bytes / 1024;
  return kb < 1024 ? `${Math.round(kb)} KB` : `${(kb / 1024).toFixed(1)} MB`;
}

/** What a file picker offers. */
export const ACCEPT = Object.keys(FILE_TYPES)
  .map((extension) => `.${extension}`)
  .join(',');

/** Why a file would be refused, checked before sending; undefined when it may be sent. */
export function refusal(file: { name: string; size: number }): string | undefined {
  if (fileTypeOf(file.name) === undefined) return FILE_SENTENCES.unsupported;
  if (file.size === 0) return FILE_SENTENCES.empty;
  return file.size > FILE_LIMITS.bytes ? FILE_SENTENCES.tooLarge : undefined;
}

export const STATES: Record<AgentFileEntry['state'], string> = {
  uploading: 'Storing…',
  reading: 'Reading…',
  ready: 'Ready',
  failed: 'Not readable',
};

export interface Citation {
  fileId: string;
  file: string;
  place: string;
  text: string;
}

/** The file passages that an answer cites: given to it or found by it, and mentioned in its text; each place once. */
export function citationsOf(task: Pick<Task, 'message' | 'memoryUsed' | 'toolCalls'>): Citation[] {
  const known = task.memoryUsed.flatMap(({ kind, fileId = '', fileName = '', place = '', text }) =>
    kind === 'file' ? [{ fileId, file: fileName, place, text }] : [],
  );
  const found = task.toolCalls.flatMap((call) => {
    const parsed = call.name === 'search_files' ? filePassages.safeParse(call.output) : undefined;
    return parsed?.success ? parsed.data.passages : [];
  });
  const words = plain(task.message);
  const cited = new Map<string, Citation>();
  for (const citation of [...known, ...found]) {
    const { fileId, file, place } = citation;
    if (file === '' || !words.includes(plain(file)) || !words.includes(plain(place))) continue;
    const key = `${fileId} ${place}`;
    if (!cited.has(key)) cited.set(key, citation);
  }
  return [...cited.values()];
}

/** Normalised for comparison: without Markdown's backslashes, kinds of quotation marks and dashes, and case. */
const plain = (text: string) =>
  text
    .replaceAll('\\', '')
    .replaceAll(/[“”„"]/g, '"')
    .replaceAll(/[–—]/g, '-')
    .toLowerCase();
