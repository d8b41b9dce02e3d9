import type { AccountImport, ImportCount } from '@atelier/contract/transfer/imports';
import { dayOf, formatNumber } from '../../ui/formats.ts';

const done = ({ imported, present, left }: ImportCount) => imported + present + left;

/** How much of an import is done, 0 to 1. */
export function shareDone({ counts }: AccountImport): number {
  const all = counts.reduce((sum, count) => sum + count.found, 0);
  return all === 0 ? 1 : counts.reduce((sum, count) => sum + done(count), 0) / all;
}

/** What became of one kind: `3 imported · 2 were here · 1 left out`; before the start, how many there are. */
export function countText(count: ImportCount, state: AccountImport['state']): string {
  if (count.found === 0) return 'None';
  if (state === 'ready') return formatNumber(count.found);
  const rest = count.found - done(count);
  const parts = [
    `${formatNumber(count.imported)} imported`,
    count.present > 0 ? `${formatNumber(count.present)} were here` : '',
    count.left > 0 ? `${formatNumber(count.left)} left out` : '',
    rest > 0 ? `${formatNumber(rest)} to come` : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

export const TITLES: Record<AccountImport['state'], string> = {
  ready: 'This is in the archive',
  running: 'Importing…',
  done: 'The import is done',
  stopped: 'The import was stopped',
  failed: 'The import was interrupted',
  undone: 'The import was undone',
};

/** From when to when conversations were: `from Mar 1, 2023 to Apr 2, 2024`. */
export function spanText(conversations: readonly { from: string; to: string }[]): string {
  const first = dayOf(conversations.reduce((a, { from }) => (from < a ? from : a), conversations[0]?.from ?? ''));
  const last = dayOf(conversations.reduce((a, { to }) => (to > a ? to : a), ''));
  return first === last ? `on ${first}` : `from ${first} to ${last}`;
}
