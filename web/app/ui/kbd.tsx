import type { ReactNode } from 'react';

/** A key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-block rounded-sm border border-edge bg-surface px-1.5 font-mono text-muted text-xs leading-5">
      {children}
    </kbd>
  );
}
