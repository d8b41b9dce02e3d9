import { classes } from './classes.ts';

/** A placeholder for something that is loading; give it the same size. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes('block animate-breathe rounded bg-line/60', className)} />;
}

interface LoadingProps {
  /** What is loading, for screen readers. */
  label: string;
  className?: string;
  /** The classes of each placeholder. */
  parts: readonly string[];
}

/** Several placeholders, and what they stand for. */
export const Loading = ({ label, className, parts }: LoadingProps) => (
  <div role="status" className={className}>
    <span className="sr-only">{label}</span>
    {parts.map((part, at) => (
      <Skeleton key={at} className={part} />
    ))}
  </div>
);
