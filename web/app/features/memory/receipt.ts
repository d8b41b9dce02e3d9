import type { MemoryItem } from '@atelier/contract/memory';
import type { Task } from '@atelier/contract/runs';

/** '1 memory', '3 memories'. */
export const countMemories = (count: number) => (count === 1 ? '1 memory' : `${count} memories`);

/** What facts about the person, and about what they share with others, are about. */
const OWN: ReadonlySet<string> = new Set(['', 'You', 'Shared']);

/** Who said a remembered text, or whom a fact is about. */
export function speakerOf(item: MemoryItem, agentName: string): string {
  if (item.kind === 'person') return 'You';
  if (item.kind === 'fact') return OWN.has(item.about ?? '') ? 'About you' : `About ${item.about}`;
  return item.kind === 'agent' ? agentName : 'File';
}

/** Relevance as a whole percentage, always between 0 and 100. */
export const percent = (score: number) => `${Math.round(Math.min(1, Math.max(0, score)) * 100)}%`;

/** Whether an item was chosen by how well it matches: some facts are given whatever is asked. */
export const isRated = ({ kind, score }: MemoryItem): boolean => kind !== 'fact' || score > 0;

/** Whether an answer's memory needs a line. */
export const hasReceipt = (task: Pick<Task, 'memoryUsed' | 'memoryPartial'>): boolean =>
  task.memoryUsed.length > 0 || task.memoryPartial === true;
