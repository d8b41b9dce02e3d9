import { type ComponentType, useSyncExternalStore } from 'react';

interface AnswerFormat {
  /** Formats an answer; null while it is on its way, and where it did not come. */
  Answer: ComponentType<{ text: string; live: boolean; words: string }> | null;
  /** Whether it is no longer waited for. */
  loaded: boolean;
}

let format: AnswerFormat = { Answer: null, loaded: false };
let fetching: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Fetches what formats answers, once. A page without a conversation does without it. */
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

/** What formats answers, as far as it is there. */
export const useAnswerFormat = (): AnswerFormat => useSyncExternalStore(subscribe, now, now);
