import type { MemoryItem } from '@atelier/contract/memory';
import type { Task } from '@atelier/contract/runs';

/** '1 memory', '3 memories'. */
export const countMemories = (count: number) => (count === 1 ? '1 memory' : `${count} memories`);

/** How many of an answer's memories come from where: '2 from earlier · 4 from here'. */
export function originsOf({ memoryUsed, sessionId }: Pick<Task, 'memoryUsed' | 'sessionId'>): string {
  const count = { earlier: 0, here: 0, files: 0 };
  for (const item of memoryUsed) {
    count[item.kind === 'file' ? 'files' : item.inConversation || item.sessionId === sessionId ? 'here' : 'earlier'] +=
      1;
  }
  const parts = Object.entries(count).flatMap(([place, n]) => (n > 0 ? [`${n} from ${place}`] : []));
  return parts.join(' · ') || 'nothing found yet';
}

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

/** Relevance in a word; docs/measurements/memory-ranking.md has how often each was evidence. */
export const matchOf = (score: number) => (score >= 0.7 ? 'strong' : score >= 0.3 ? 'partly' : 'loosely');

/** Whether an item was chosen by how well it matches: some facts are given whatever is asked. */
export const isRated = ({ kind, score }: MemoryItem): boolean => kind !== 'fact' || score > 0;

/** Whether an answer's memory needs a line. */
export const hasReceipt = (task: Pick<Task, 'memoryUsed' | 'memoryPartial'>): boolean =>
  task.memoryUsed.length > 0 || task.memoryPartial === true;

/** The words of four letters or more, which say what a text is about. */
const wordsIn = (text: string) => new Set(text.toLowerCase().match(/\p{L}{4,}/gu));

type Answered = Pick<Task, 'memoryUsed' | 'message' | 'inputText' | 'agentName'>;

/** An answer's memories, first those it says more of than the question does; among equals, what the conversation holds comes last. */
export function byUse({ memoryUsed, message, inputText, agentName }: Answered) {
  const questionWords = wordsIn(`${agentName} ${inputText}`);
  const answerWords = wordsIn(message);
  const use = ({ text }: MemoryItem) => {
    const words = [...wordsIn(text)];
    return (
      words.filter((word) => answerWords.has(word) && !questionWords.has(word)).length / Math.sqrt(words.length || 1)
    );
  };
  return memoryUsed
    .map((item) => ({ item, inConversation: item.inConversation ? 1 : 0, use: use(item) }))
    .sort((a, b) => b.use - a.use || a.inConversation - b.inConversation)
    .map(({ item }) => item);
}
