import type { ReactNode } from 'react';

/** Says that ways in were suspended, and by `children` what to do; nothing where there were none. */
export function SuspendedNote({ count, children }: { count: number; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <p className="mt-4">
      {count === 1 ? 'Another way into your account is' : `${count} other ways into your account are`} suspended,
      because somebody else may have added {count === 1 ? 'it' : 'them'}. {children}
    </p>
  );
}
