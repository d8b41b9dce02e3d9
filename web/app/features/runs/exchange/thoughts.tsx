import { ChevronRight } from '../../../ui/icons/lucide.ts';

export interface ThoughtsProps {
  text: string;
  /** It still thinks. */
  live: boolean;
  /** It was stopped or failed before the first word of an answer. */
  unanswered: boolean;
  /** How long it thought, once the answer is whole. */
  ms: number | undefined;
}

/** What the model thought before it answered, folded: it is no part of the answer, and nobody has to read it. */
export function Thoughts({ text, live, unanswered, ms }: ThoughtsProps) {
  const seconds = ms === undefined ? '' : ` for ${Math.max(1, Math.round(ms / 1000))} s`;
  const ended = unanswered ? ' without answering' : seconds;
  return (
    <details className="group max-w-[72ch] rounded border bg-surface text-sm">
      <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2 px-2 text-muted hover:bg-sunken touch:min-h-11">
        <ChevronRight className="size-4 shrink-0 group-open:rotate-90" />
        {live ? <span className="animate-breathe">Thinking...</span> : `Thought${ended}`}
      </summary>
      <div className="border-t p-2">
        {/* A scrolling area must be reachable by keyboard. */}
        <p
          dir="auto"
          tabIndex={0}
          className="max-h-64 overflow-auto whitespace-pre-wrap text-muted [overflow-wrap:anywhere]"
        >
          {text.trim()}
        </p>
        <p className="pt-2 text-muted text-xs">Not remembered, and not sent to the model again.</p>
      </div>
    </details>
  );
}

/** A placeholder for the answer, until its first word: why it waits, if the server knows. */
export function Thinking({ wait }: { wait?: string | undefined }) {
  return (
    <p role={wait ? 'status' : undefined} className="animate-breathe text-muted">
      {wait ?? 'Thinking...'}
    </p>
  );
}
