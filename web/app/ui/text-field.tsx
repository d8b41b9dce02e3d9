import type { ComponentProps } from 'react';
import { Field, type FieldProps } from './field.tsx';
import { TextInput } from './text-input.tsx';

type TextFieldProps = Omit<FieldProps, 'children'> & ComponentProps<'input'>;

/** A field with one line of text. */
export function TextField({ label, error, hint, aside, ...input }: TextFieldProps) {
  return <Field {...{ label, error, hint, aside }}>{(control) => <TextInput {...control} {...input} />}</Field>;
}
