import { classes } from './classes.ts';

/** A placeholder for something that is loading; give it the same size. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes('block animate-breathe rounded bg-line/60', className)} />;
}
