import { Skeleton } from '../../../ui/skeleton.tsx';

/** A placeholder for a conversation. */
export function TimelineSkeleton() {
  return (
    <div role="status" className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-4 overflow-hidden p-4 sm:px-6">
      <span className="sr-only">Loading the conversation</span>
      <Skeleton className="h-20" />
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-11/12" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}
