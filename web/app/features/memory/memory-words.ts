import type { MemoryItem } from '@atelier/contract/memory';
import { plainWords } from '../../lib/markdown/plain-words.ts';

type Words = { kind: MemoryItem['kind']; text: string; fileName?: string | undefined };

/** Answers and Markdown files are Markdown; a person's words are not. */
export const isMarkdown = ({ kind, fileName = '' }: Words): boolean =>
  kind === 'agent' || /\.(?:md|markdown)$/iu.test(fileName);

/** A memory's text for reading: Markdown without its marks, a person's words exactly as typed. */
export const memoryWords = (memory: Words): string => (isMarkdown(memory) ? plainWords(memory.text) : memory.text);
