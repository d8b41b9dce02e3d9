import type { MemoryKind } from '@atelier/contract/memory';
import { plainWords } from '../../lib/plain-words.ts';

/** What is remembered, to be read: answers and Markdown files without their marks, what a person said exactly as typed. */
export function memoryWords(memory: { kind: MemoryKind; text: string; fileName?: string | undefined }): string {
  const isMarkdown = memory.kind === 'agent' || /\.(?:md|markdown)$/iu.test(memory.fileName ?? '');
  return isMarkdown ? plainWords(memory.text) : memory.text;
}
