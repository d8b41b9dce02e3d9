import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import { Spinner } from './spinner.tsx';

const variants = {
  primary: 'border-transparent bg-accent text-accent-ink hover:bg-accent-strong active:bg-accent-strong',
  secondary: 'border-edge bg-raised text-ink hover:bg-sunken active:bg-sunken',
  ghost: 'border-transparent text-ink hover:bg-sunken active:bg-sunken',
  danger: 'border-transparent bg-danger text-danger-ink hover:opacity-90',
};
const sizes = {
  md: 'min-h-10 px-4 text-base touch:min-h-11',
  sm: 'min-h-8 px-3 text-sm touch:min-h-11',
};

export type ButtonVariant = keyof typeof variants;
export type ButtonSize = keyof typeof sizes;

/** The look of a button, for links. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'md', more?: string): string {
  return classes(
    'inline-flex select-none items-center justify-center gap-2 rounded border font-semibold transition-colors duration-100',
    'disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed',
    variants[variant],
    sizes[size],
    more,
  );
}

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shows that work continues; further presses do nothing. */
  loading?: boolean;
}

/** A button. While `loading` it keeps its width, focus and name, and ignores presses. */
export function Button({ variant, size, loading = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={loading || undefined}
      aria-disabled={loading || undefined}
      onClick={(event) => (loading ? event.preventDefault() : onClick?.(event))}
      className={buttonClass(variant, size, className)}
    >
      {loading && <Spinner />}
      {children}
    </button>
  );
}
