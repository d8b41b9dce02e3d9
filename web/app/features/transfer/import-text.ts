import type { AccountImport, ImportCount, ImportKind } from '@atelier/contract/imports';

/** The kinds for people. */
export const KIND_LABELS: Record<ImportKind, string> = {
  agents: 'Agents',
  sessions: 'Sessions',
  exchanges: 'Messages and answers',
  summaries: 'Summaries of long sessions',
  memories: 'Memories',
  facts: 'Facts about you',
  files: 'Files',
  prompts: 'Saved prompts',
  attachments: 'Pictures and files of messages',
};

const done = ({ imported, present, left }: ImportCount) => imported + present + left;

/** How much of an import is done, 0 to 1. */
export function shareDone({ counts }: AccountImport): number {
  const all = counts.reduce((sum, count) => sum + count.found, 0);
  return all === 0 ? 1 : counts.reduce((sum, count) => sum + done(count), 0) / all;
}

/** What became of one kind: `3 imported · 2 were here · 1 left out`; before the start, how many there are. */
export function countText(count: ImportCount, state: AccountImport['state']): string {
  if (count.found === 0) return 'None';
  if (state === 'ready') return count.found.toLocaleString('en-US');
  const rest = count.found - done(count);
  const parts = [
    `${count.imported.toLocaleString('en-US')} imported`,
    count.present > 0 ? `${count.present.toLocaleString('en-US')} were here` : '',
    count.left > 0 ? `${count.left.toLocaleString('en-US')} left out` : '',
    rest > 0 ? `${rest.toLocaleString('en-US')} to come` : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

export const TITLES: Record<AccountImport['state'], string> = {
  ready: 'This is in the archive',
  running: 'Importing…',
  done: 'The import is done',
  stopped: 'The import was stopped',
  failed: 'The import was interrupted',
};
