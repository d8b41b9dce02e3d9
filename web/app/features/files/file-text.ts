import type { AgentFileEntry } from '@atelier/contract/files';

/** `820 B`, `12 KB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kb = bytes / 1024;
  return kb < 1024 ? `${Math.round(kb)} KB` : `${(kb / 1024).toFixed(1)} MB`;
}

export const STATES: Record<AgentFileEntry['state'], string> = {
  uploading: 'Storing…',
  reading: 'Reading…',
  ready: 'Ready',
  failed: 'Not readable',
};
