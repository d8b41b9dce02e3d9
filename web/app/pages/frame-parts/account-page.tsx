import type { ReactNode } from 'react';
import { RequireUser } from '../../lib/auth.tsx';
import { classes } from '../../ui/classes.ts';
import { SignedInFrame } from './signed-in-frame.tsx';

export interface AccountPageProps {
  title: string;
  /** `reading` for text and forms, `wide` for a grid. */
  width?: 'reading' | 'wide';
  children: ReactNode;
}

/** A page for signed-in users: the guard, the sidebar, a title, and the content. */
export function AccountPage({ title, width = 'reading', children }: AccountPageProps) {
  return (
    <RequireUser>
      <SignedInFrame header={<h1 className="truncate font-semibold text-lg">{title}</h1>}>
        <div
          className={classes(
            'mx-auto flex w-full flex-col gap-6 px-4 py-8 sm:px-8',
            width === 'wide' ? 'max-w-6xl' : 'max-w-3xl',
          )}
        >
          {children}
        </div>
      </SignedInFrame>
    </RequireUser>
  );
}
