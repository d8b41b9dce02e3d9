import { SENTENCES } from '@atelier/contract/errors';
import type { ReactNode } from 'react';
import { errorText } from '../../lib/http.ts';
import { Banner } from '../../ui/banner.tsx';
import { FailureBanner } from '../../ui/failure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { useSelection } from './use-selection.ts';

export interface NoSessionProps {
  selection: ReturnType<typeof useSelection>;
  /** How to begin. */
  children: ReactNode;
}

/** Replaces the conversation while no session is selected. */
export function NoSession({ selection, children }: NoSessionProps) {
  const { state, error, retry } = selection;
  if (state === 'loading') {
    return (
      <div role="status" className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-4 p-4 sm:px-6">
        <span className="sr-only">Loading the session</span>
        <Skeleton className="h-20" />
        <Skeleton className="h-4 w-2/3" />
      </div>
    );
  }
  if (state === 'failed') {
    return (
      <div className="mx-auto w-full max-w-3xl flex-1 p-4 sm:px-6">
        <FailureBanner text={errorText(error)} onRetry={retry} />
      </div>
    );
  }
  // At the top instead of the middle, and in a box that scrolls, so that later content moves nothing.
  return (
    <div className="min-h-0 flex-1 overflow-y-auto not-last:mb-2 not-last:border-b">
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 p-4 sm:px-6 sm:pt-[8vh]">
        {state === 'unknown' && (
          <Banner tone="info" role="status">
            This session was not found. It may have been deleted.
          </Banner>
        )}
        <p className="text-balance text-center text-muted">{SENTENCES.noSession}</p>
        {children}
      </div>
    </div>
  );
}
