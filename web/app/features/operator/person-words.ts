import type { Holdings, PersonDetails } from '@atelier/contract/operator/people';
import { formatNumber, sizeText } from '../../ui/formats.ts';

/** What an account has, by name. */
export const holdingWords = (holdings: Holdings): [name: string, count: number][] => [
  ['Agents', holdings.agents],
  ['Public agents', holdings.publicAgents],
  ['Memories', holdings.memories],
  ['Facts', holdings.facts],
  ['Files', holdings.files],
  ['Attachments', holdings.attachments],
  ['Saved prompts', holdings.prompts],
  ['API keys', holdings.keys],
  ['Shared links', holdings.links],
  ['Payments', holdings.payments],
];

/** What a deletion takes, in a line. */
export function deletionWords({ exchanges, sessions, storage, holdings }: PersonDetails): string {
  const counts: [string, number][] = [['Sessions', sessions], ['Exchanges', exchanges], ...holdingWords(holdings)];
  const some = counts.filter(([name, count]) => count > 0 && name !== 'Public agents');
  const parts = some.map(([name, count]) => `${name}: ${formatNumber(count)}`);
  return [...parts, `Storage: ${sizeText(storage)}`].join(', ');
}
