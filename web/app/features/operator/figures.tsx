import { COUNT_MAX } from '@atelier/contract/operator/overview';
import type { ReactNode } from 'react';
import { formatNumber } from '../../ui/formats.ts';

/** A count that goes no further than the server counts. */
export const countText = (count: number) => (count > COUNT_MAX ? `${formatNumber(COUNT_MAX)}+` : formatNumber(count));

/** Figures by name, in two columns where there is room. */
export const Figures = ({ figures }: { figures: readonly (readonly [name: string, figure: ReactNode])[] }) => (
  <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 sm:grid-cols-[11rem_1fr_11rem_1fr]">
    {figures.map(([name, figure]) => (
      <div key={name} className="contents">
        <dt className="text-muted">{name}</dt>
        <dd className="tabular-nums">{figure}</dd>
      </div>
    ))}
  </dl>
);
