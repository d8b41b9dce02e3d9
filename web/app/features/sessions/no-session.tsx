import { SENTENCES } from '@atelier/contract/errors';
import type { ReactNode } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Selection } from './session-pages.ts';

export interface NoSessionProps {
  state: Selection['state'];
  onNew: () => void;
  /** A quicker way in, for somebody who is new here. */
  children?: ReactNode;
}

/** What stands in place of a conversation while no session is selected. */
export function NoSession({ state, onNew, children }: NoSessionProps) {
  if (state === 'loading') {
    return (
      <div role="status" className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-4 p-4 sm:px-6">
        <span className="sr-only">Loading the session</span>
        <Skeleton className="h-20" />
        <Skeleton className="h-4 w-2/3" />
      </div>
    );
  }
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-1 flex-col justify-center gap-4 p-4 sm:px-6">
      {state === 'unknown' && (
        <Banner tone="info" role="status">
          This session was not found. It may have been deleted.
        </Banner>
      )}
      <EmptyState
        title={SENTENCES.noSession}
        action={
          <Button variant="primary" onClick={onNew}>
            New session
          </Button>
        }
      />
      {children}
    </div>
  );
}
