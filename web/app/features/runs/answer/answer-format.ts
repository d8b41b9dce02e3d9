import { type ComponentType, useEffect } from 'react';
import { createShared } from '../../../ui/shared-value.ts';

interface AnswerFormat {
  /** Formats an answer; null while it loads, and when loading failed. */
  Answer: ComponentType<{ text: string; live: boolean; words: string }> | null;
  /** Whether loading has ended. */
  loaded: boolean;
}

const format = createShared<AnswerFormat>({ Answer: null, loaded: false });
let fetching: Promise<void> | undefined;

/** Loads the formatter, once. A page without a conversation doesn't need it. */
export function fetchAnswerFormat(): void {
  fetching ??= import('./answer-markdown.tsx').then(
    (part) => format.set({ Answer: part.default, loaded: true }),
    () => {
      // The next conversation tries again.
      fetching = undefined;
      format.set({ Answer: null, loaded: true });
    },
  );
}

/** The formatter, as far as it is loaded. */
export function useAnswerFormat(): AnswerFormat {
  useEffect(fetchAnswerFormat, []);
  return format.useValue();
}
