import { Link, type LinkProps } from 'react-router';
import { type ButtonProps, buttonClass } from './button.tsx';

/** A link with the look of a button. */
export const ButtonLink = ({
  variant,
  size,
  className,
  ...link
}: LinkProps & Pick<ButtonProps, 'variant' | 'size' | 'className'>) => (
  <Link {...link} className={buttonClass(variant, size, className)} />
);
