import { type ComponentType, useSyncExternalStore } from 'react';
import { createListeners } from '../../../ui/shared-value.ts';

interface AnswerFormat {
  /** Formats an answer; null while it loads, and when loading failed. */
  Answer: ComponentType<{ text: string; live: boolean; words: string }> | null;
  /** Whether loading has ended. */
  loaded: boolean;
}

let format: AnswerFormat = { Answer: null, loaded: false };
let fetching: Promise<void> | undefined;
const listeners = createListeners();

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
    .then(listeners.tell);
}

function subscribe(listener: () => void) {
  fetchAnswerFormat();
  return listeners.subscribe(listener);
}

const now = () => format;

/** The formatter, as far as it is loaded. */
export const useAnswerFormat = (): AnswerFormat => useSyncExternalStore(subscribe, now, now);
