import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from './classes.ts';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
}

/** A checkbox with its label beside it and a hint below. */
export function Checkbox({ label, hint, className, disabled, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <div className={classes('flex items-start gap-3', className)}>
      <input
        id={id}
        type="checkbox"
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...rest}
        className="mt-1 size-4 shrink-0 accent-ink disabled:cursor-not-allowed touch:mt-0.5 touch:size-5"
      />
      <div className="flex flex-col">
        <label
          htmlFor={id}
          className={classes('font-semibold text-sm leading-6', disabled ? 'cursor-not-allowed text-muted' : '')}
        >
          {label}
        </label>
        {hint && (
          <span id={`${id}-hint`} className="text-muted text-sm">
            {hint}
          </span>
        )}
      </div>
    </div>
  );
}
