import { type ComponentType, useSyncExternalStore } from 'react';

interface AnswerFormat {
  /** Formats an answer; null while it loads, and when loading failed. */
  Answer: ComponentType<{ text: string; live: boolean; words: string }> | null;
  /** Whether loading has ended. */
  loaded: boolean;
}

let format: AnswerFormat = { Answer: null, loaded: false };
let fetching: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Loads the formatter, once. A page without a conversation doesn't need it. */
export function fetchAnswerFormat(): void {
  fetching ??= import('./answer-markdown.tsx')
    .then(
      (part) => {
        format = { Answer: part.default, loaded: true };
      },
      () => {
        format = { Answer: null, loaded: true };
        // The next conversation tries again.
        fetching = undefined;
      },
    )
    .then(() => {
      for (const listener of listeners) listener();
    });
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  fetchAnswerFormat();
  return () => listeners.delete(listener);
}

const now = () => format;

/** The formatter, as far as it is loaded. */
export const useAnswerFormat = (): AnswerFormat => useSyncExternalStore(subscribe, now, now);
