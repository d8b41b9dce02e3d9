import { formatNumber } from '../../ui/formats.ts';
import { useEmbeddingProgress } from './memory.api.ts';

/** Says how many memories can be found by meaning, until all can. */
export function EmbeddingProgress() {
  const { data } = useEmbeddingProgress();
  const embedding = data?.embedding;
  if (!embedding || embedding.done >= embedding.total) return null;
  return (
    <div role="status" className="flex flex-col gap-1 text-muted text-sm">
      <p>
        {formatNumber(embedding.done)} of {formatNumber(embedding.total)} memories are found by meaning (
        <span className="font-mono">{embedding.model}</span>), the rest by their words until then.
      </p>
      <progress
        aria-label="Memories found by meaning"
        value={embedding.done}
        max={embedding.total}
        className="h-1.5 w-full accent-ink"
      />
    </div>
  );
}
