import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import { Field, type FieldProps } from './field.tsx';
import { ChevronDown } from './icons/lucide.ts';
import { controlClass } from './text-field.tsx';

export interface SelectProps extends ComponentProps<'select'> {
  options: readonly { value: string; label: string; disabled?: boolean }[];
}

/** A field with a choice of one. */
export function SelectField({ label, error, hint, aside, ...input }: Omit<FieldProps, 'children'> & SelectProps) {
  return <Field {...{ label, error, hint, aside }}>{(control) => <Select {...control} {...input} />}</Field>;
}

/** A choice of one. The browser's own list, because it works with every keyboard, phone and screen reader. */
export function Select({ options, className, ...rest }: SelectProps) {
  return (
    <span className="relative block">
      <select {...rest} className={classes(controlClass, 'h-11 appearance-none pr-10', className)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-3 size-4 text-muted" />
    </span>
  );
}
