import type { ComponentProps } from 'react';
import { classes } from './classes.ts';

/** The look of every text field. 16 px, or phones zoom into the field. */
export const controlClass = classes(
  'w-full rounded border border-edge bg-raised px-3 text-base text-ink placeholder:text-muted',
  'transition-colors duration-100 hover:border-ink',
  'aria-invalid:border-danger disabled:cursor-not-allowed disabled:opacity-60',
);

/** One line of text. */
export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" dir="auto" {...rest} className={classes(controlClass, 'h-11', className)} />;
}
