import type { ComponentProps, ComponentType } from 'react';

export type IconComponent = ComponentType<ComponentProps<'svg'>>;

/** A component that shows a drawing of 24 × 24 in the colour of the text around it; programs that read pages aloud skip it. */
export const iconOf =
  (drawing: string): IconComponent =>
  (props) => (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...props}
      dangerouslySetInnerHTML={{ __html: drawing }}
    />
  );
