import { Banner } from '../banner.tsx';
import { Button } from '../button.tsx';
import { Spinner } from '../spinner.tsx';

/** A page that is still loading, with the reason if it takes long. */
export function LoadingPage({ trouble, onRetry }: { trouble?: string | null; onRetry?: () => void }) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-4 p-6">
      <div role="status" className="flex items-center gap-2 text-muted">
        <Spinner />
        <h1>Loading...</h1>
      </div>
      {trouble && (
        <Banner tone="warning" role="alert">
          <p>{trouble}</p>
          {onRetry && (
            <Button size="sm" className="mt-2" onClick={onRetry}>
              Try again
            </Button>
          )}
        </Banner>
      )}
    </main>
  );
}
