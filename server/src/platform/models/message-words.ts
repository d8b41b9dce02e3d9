import type { ModelMessage } from './models.ts';

/** A message in words: what was said, and what came with it. */
export const wordsOf = ({ text, quoted = '' }: ModelMessage): string => (quoted === '' ? text : `${text}\n\n${quoted}`);
