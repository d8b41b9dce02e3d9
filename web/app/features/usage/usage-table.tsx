import type { ReactNode } from 'react';
import { formatNumber } from '../../ui/formats.ts';
import type { UsageSum } from './sum-usage.ts';
import { formatCost } from './usage-words.ts';

export interface UsageTableProps {
  caption: string;
  /** What the first column names. */
  head: string;
  rows: readonly { key: string; name: ReactNode; sum: UsageSum }[];
  currency: string;
}

const cell = 'whitespace-nowrap px-3 py-2 text-end tabular-nums';

/** Sums as a table, one line each. */
export function UsageTable({ caption, head, rows, currency }: UsageTableProps) {
  return (
    // A sideways scrolling area must be reachable by keyboard.
    <div role="group" aria-label={caption} tabIndex={0} className="overflow-x-auto rounded-lg border bg-raised">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b text-muted">
            <th scope="col" className="px-3 py-2 text-start">
              {head}
            </th>
            {['Answers', 'Tokens read', 'Tokens written', 'Cost'].map((name) => (
              <th key={name} scope="col" className={cell}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map(({ key, name, sum }) => (
            <tr key={key}>
              <th scope="row" className="min-w-36 px-3 py-2 text-start font-normal">
                {name}
              </th>
              <td className={cell}>{formatNumber(sum.answers)}</td>
              <td className={cell}>{formatNumber(sum.inputTokens)}</td>
              <td className={cell}>{formatNumber(sum.outputTokens)}</td>
              <td className={cell}>
                {sum.isPartial && 'over '}
                {formatCost(sum.cost, currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
