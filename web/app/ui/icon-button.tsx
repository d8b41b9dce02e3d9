import type { ComponentProps } from 'react';
import { classes } from './classes.ts';
import type { IconComponent } from './icons/lucide.ts';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** What the button does, for screen readers and the tooltip. */
  label: string;
  size?: 'md' | 'sm';
  /** In the button's own size; another one is a child. */
  Icon?: IconComponent;
}

/** A square button that holds one icon. */
export function IconButton({ label, size = 'md', Icon, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={classes(
        'inline-flex shrink-0 items-center justify-center rounded text-muted transition-colors duration-100',
        'hover:bg-sunken hover:text-ink disabled:cursor-not-allowed disabled:opacity-60',
        'touch:size-11',
        size === 'md' ? 'size-10' : 'size-8',
        className,
      )}
    >
      {Icon && <Icon className={size === 'md' ? 'size-5' : 'size-4'} />}
      {children}
    </button>
  );
}
