import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import { controlClass } from './text-input.tsx';

/** Several lines of text; grows with its content if the browser can do that. */
export function TextArea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      dir="auto"
      rows={rows}
      {...rest}
      className={classes(controlClass, 'field-sizing-content min-h-24 resize-y py-2 leading-6', className)}
    />
  );
}
