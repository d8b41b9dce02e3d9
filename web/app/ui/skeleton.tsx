import { classes } from './classes.ts';

/** Stands where something is coming; give it the size of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes('block animate-breathe rounded bg-sunken', className)} />;
}
