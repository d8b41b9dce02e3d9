import { Failure } from '../failure.tsx';
import { Spinner } from '../spinner.tsx';

const noSessionClass =
  'absolute inset-x-0 top-14 mt-px hidden text-balance p-4 text-center text-muted sm:px-6 sm:pt-[8vh] lg:left-72 [[data-no-session]_&]:signed-in:block';

interface LoadingPageProps {
  /** What the workspace without a session will say, in its place: who comes back reads it from the first paint. Its document says when. */
  noSession?: string;
  /** Why nothing has come so far. It is tried again by itself, and by `onRetry` at once. */
  trouble?: string | null;
  onRetry?: () => void;
}

/** A page that is still loading, or the reason if that fails. */
export function LoadingPage({ noSession, trouble, onRetry = () => {} }: LoadingPageProps) {
  return (
    <main className="relative flex min-h-dvh flex-col items-center justify-center gap-4 p-6">
      {noSession && !trouble && <p className={noSessionClass}>{noSession}</p>}
      <div role="status" className={trouble ? 'sr-only' : 'flex items-center gap-2 text-muted'}>
        <Spinner />
        <h1>Loading...</h1>
      </div>
      {trouble && <Failure text={trouble} onRetry={onRetry} className="max-w-prose" />}
    </main>
  );
}
