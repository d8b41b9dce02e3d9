import type { SessionSummary } from '@atelier/contract/runs';

/** Says above a long conversation that the agent gets its beginning as a summary, and shows it. */
export function SummaryNote({ summary }: { summary: SessionSummary }) {
  const count = summary.exchanges === 1 ? 'The first exchange is' : `The first ${summary.exchanges} exchanges are`;
  return (
    <details className="py-3 text-muted text-sm">
      <summary className="rounded touch:min-h-11">
        {count} given to the agent as a summary
        {summary.kind === 'extractive' && ' (extractive: your own sentences, chosen without a model)'}.
      </summary>
      <p className="mt-2 max-w-[72ch] whitespace-pre-wrap rounded border bg-surface px-4 py-3">
        {summary.text === '' ? 'Nothing in them was worth keeping.' : summary.text}
      </p>
    </details>
  );
}
