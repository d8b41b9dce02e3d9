import { Failure } from '../ui/failure.tsx';
import { errorText } from './http.ts';

export interface Loaded {
  isLoadingError: boolean;
  error: Error | null;
  refetch: () => unknown;
}

/** Why what queries load is not on the page, once for all of them; nothing while they load or once it is there. */
export function LoadFailure({ of, className }: { of: Loaded | readonly Loaded[]; className?: string }) {
  const failed = [of].flat().filter((query) => query.isLoadingError);
  if (failed[0] === undefined) return null;
  const again = () => failed.forEach((query) => void query.refetch());
  return <Failure text={errorText(failed[0].error)} onRetry={again} className={className} />;
}
