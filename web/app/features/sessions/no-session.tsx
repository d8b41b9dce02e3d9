import { SENTENCES } from '@atelier/contract/errors';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { errorText } from '../../lib/http.ts';
import { Failure } from '../../ui/failure.tsx';
import type { useSelection } from './use-selection.ts';

export interface NoSessionProps {
  selection: ReturnType<typeof useSelection>;
  /** How to begin. */
  children: ReactNode;
}

/** Replaces the conversation while no session is selected. */
export function NoSession({ selection, children }: NoSessionProps) {
  const { state, error, retry } = selection;
  if (state === 'failed') {
    return (
      <div className="mx-auto w-full max-w-3xl flex-1 p-4 sm:px-6">
        <Failure text={errorText(error)} onRetry={retry} />
        <Link to="/runtime" className="mt-4 inline-flex items-center underline underline-offset-4 touch:min-h-11">
          Start a new session instead
        </Link>
      </div>
    );
  }
  // At the top instead of the middle, and in a box that scrolls, so that later content moves nothing.
  return (
    <div className="min-h-0 flex-1 overflow-y-auto not-last:mb-2 not-last:border-b">
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-6 p-4 sm:px-6 sm:pt-[8vh]">
        <div className="text-balance text-center text-muted">
          {state === 'unknown' && (
            <p role="status" className="text-ink">
              This session was not found. It may have been deleted.
            </p>
          )}
          <p>{SENTENCES.noSession}</p>
        </div>
        {children}
      </div>
    </div>
  );
}
