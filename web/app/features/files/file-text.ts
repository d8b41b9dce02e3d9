import { type AgentFileEntry, FILE_LIMITS, FILE_SENTENCES, FILE_TYPES, refusedName } from '@atelier/contract/files';

/** `820 B`, `12 KB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kb = bytes / 1024;
  return kb < 1024 ? `${Math.round(kb)} KB` : `${(kb / 1024).toFixed(1)} MB`;
}

/** What a file picker offers. */
export const ACCEPT = [...FILE_TYPES.keys()].map((extension) => `.${extension}`).join(',');

/** Why a file would be refused, checked before sending; undefined when it may be sent. */
export function refusal(file: { name: string; size: number }): string | undefined {
  const refused = refusedName(file.name);
  if (refused !== undefined) return refused;
  if (file.size === 0) return FILE_SENTENCES.empty;
  return file.size > FILE_LIMITS.bytes ? FILE_SENTENCES.tooLarge : undefined;
}

export const STATES: Record<AgentFileEntry['state'], string> = {
  uploading: 'Storing…',
  reading: 'Reading…',
  ready: 'Ready',
  failed: 'Not readable',
};
