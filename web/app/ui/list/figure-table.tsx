import type { ReactNode } from 'react';

/** The look of a cell with a figure. */
export const figureClass = 'whitespace-nowrap px-3 py-2 text-end tabular-nums';

interface FigureTableProps {
  caption: string;
  /** The names of the columns with words, and of those with figures after them. */
  words: readonly string[];
  figures: readonly string[];
  /** The rows. */
  children: ReactNode;
}

/** Rows of figures. A sideways scrolling area must be reachable by keyboard. */
export const FigureTable = ({ caption, words, figures, children }: FigureTableProps) => (
  <div
    role="group"
    aria-label={caption}
    tabIndex={0}
    className="scroll-sideways rounded-lg border [--ground:var(--raised)]"
  >
    <table className="w-full border-collapse text-sm">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b text-muted">
          {[...words, ...figures].map((name, at) => (
            <th key={name} scope="col" className={at < words.length ? 'px-3 py-2 text-start' : figureClass}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">{children}</tbody>
    </table>
  </div>
);
