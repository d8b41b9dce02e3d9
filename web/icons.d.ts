declare module '~icons/*' {
  import type { ComponentProps, ComponentType } from 'react';

  const icon: ComponentType<ComponentProps<'svg'>>;
  export default icon;
}
