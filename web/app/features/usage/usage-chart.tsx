import { useId } from 'react';
import { formatDay, formatNumber } from '../../ui/formats.ts';
import type { UsageSum } from './sum-usage.ts';

const HEIGHT = 100;
/** The part of a day's width that its bar fills. */
const FILLS = 0.72;

/** Tokens of each day as bars: what was read below, what was written above. The table beside it says the same. */
export function UsageChart({ days }: { days: readonly { day: string; sum: UsageSum }[] }) {
  const id = useId();
  const most = Math.max(1, ...days.map(({ sum }) => sum.inputTokens + sum.outputTokens));
  const [first, last] = [days.at(0)?.day ?? '', days.at(-1)?.day ?? ''];
  return (
    <figure className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-4 text-muted text-sm">
        <span>Up to {formatNumber(most)} tokens a day</span>
        <Legend />
      </div>
      <svg
        role="img"
        aria-labelledby={id}
        viewBox={`0 0 ${days.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-40 w-full border-edge border-b"
      >
        <title
          id={id}
        >{`Tokens from ${formatDay(first)} to ${formatDay(last)}, at most ${formatNumber(most)} a day`}</title>
        {days.map(({ day, sum }, at) => (
          <Bar key={day} day={day} at={at} sum={sum} most={most} />
        ))}
      </svg>
      <div aria-hidden="true" className="flex justify-between text-muted text-sm">
        <span>{formatDay(first)}</span>
        <span>{formatDay(last)}</span>
      </div>
    </figure>
  );
}

function Bar({ day, at, sum, most }: { day: string; at: number; sum: UsageSum; most: number }) {
  const read = (sum.inputTokens / most) * HEIGHT;
  const written = (sum.outputTokens / most) * HEIGHT;
  const place = { x: at + (1 - FILLS) / 2, width: FILLS };
  return (
    <g>
      <title>{`${formatDay(day)}: ${formatNumber(sum.inputTokens)} read, ${formatNumber(sum.outputTokens)} written`}</title>
      {/* The whole height answers to a pointer, also above a low bar. */}
      <rect x={at} y={0} width={1} height={HEIGHT} fill="transparent" />
      <rect {...place} y={HEIGHT - read} height={read} fill="var(--edge)" />
      <rect {...place} y={HEIGHT - read - written} height={written} fill="var(--ink)" />
    </g>
  );
}

function Legend() {
  return (
    <span className="flex flex-wrap gap-x-4">
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-3 rounded-sm bg-edge" /> read
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-3 rounded-sm bg-ink" /> written
      </span>
    </span>
  );
}
