import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons/lucide.ts';

const tones = {
  info: { Icon: Info, className: 'text-muted' },
  success: { Icon: CircleCheck, className: 'text-success' },
  warning: { Icon: TriangleAlert, className: 'text-warning' },
  danger: { Icon: CircleAlert, className: 'text-danger' },
};

export interface BannerProps extends ComponentProps<'div'> {
  tone?: keyof typeof tones;
}

/** A notice in the flow of the page. Pass `role="alert"` when it appears in response to something. */
export function Banner({ tone = 'info', className, children, ...rest }: BannerProps) {
  const { Icon, className: iconClass } = tones[tone];
  return (
    <div {...rest} className={classes('flex items-start gap-3 rounded-lg border bg-raised px-4 py-3', className)}>
      <Icon className={classes('mt-0.5 size-5 shrink-0', iconClass)} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}

/** Says in a line why something that was just asked for was refused. */
export const ErrorLine = ({ className, ...rest }: ComponentProps<'p'>) => (
  <p role="alert" {...rest} className={classes('text-danger', className)} />
);

/** The same where it stands for the whole form or page. */
export const ErrorBanner = ({ className, children }: { className?: string; children: ReactNode }) => (
  <Banner tone="danger" role="alert" className={className}>
    {children}
  </Banner>
);
