import type { AgentFileEntry } from '@atelier/contract/files';

export const STATES: Record<AgentFileEntry['state'], string> = {
  uploading: 'Storing…',
  reading: 'Reading…',
  ready: 'Ready',
  failed: 'Not readable',
};
