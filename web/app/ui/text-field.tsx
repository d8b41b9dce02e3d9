import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import { Field, type FieldProps } from './field.tsx';

type TextFieldProps = Omit<FieldProps, 'children'> & ComponentProps<'input'>;

/** A field with one line of text. */
export function TextField({ label, error, hint, aside, ...input }: TextFieldProps) {
  return <Field {...{ label, error, hint, aside }}>{(control) => <TextInput {...control} {...input} />}</Field>;
}

/** A field with several lines of text. */
export function AreaField({
  label,
  error,
  hint,
  aside,
  ...input
}: Omit<FieldProps, 'children'> & ComponentProps<'textarea'>) {
  return <Field {...{ label, error, hint, aside }}>{(control) => <TextArea {...control} {...input} />}</Field>;
}

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
