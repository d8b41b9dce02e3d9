import type { MemoryItem } from '@atelier/contract/memory';
import { plainWords } from '../../lib/plain-words.ts';

/** A memory's text for reading: answers and Markdown files without their marks, a person's words exactly as typed. */
export function memoryWords(memory: { kind: MemoryItem['kind']; text: string; fileName?: string | undefined }): string {
  const isMarkdown = memory.kind === 'agent' || /\.(?:md|markdown)$/iu.test(memory.fileName ?? '');
  return isMarkdown ? plainWords(memory.text) : memory.text;
}
