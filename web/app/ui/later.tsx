import { type ComponentType, Suspense, useEffect, useState } from 'react';
import { part } from './part.tsx';
import { whenIdle } from './when-idle.ts';

/** A dialog whose code is loaded when it first opens, or when the page is idle. It stays mounted afterwards, so that it can animate out. */
export function later<P extends { open: boolean }>(fetch: () => Promise<{ default: ComponentType<P> }>) {
  const Part = part(fetch);
  return function Later(props: P) {
    const [opened, setOpened] = useState(props.open);
    if (props.open && !opened) setOpened(true);
    useEffect(() => whenIdle(() => void Part.load().catch(() => undefined)), []);
    if (!opened) return null;
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}
