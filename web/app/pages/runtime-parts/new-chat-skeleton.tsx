import { useAuth } from '../../lib/auth.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const ROWS = 4;

/** A placeholder for the choice of an agent, the composer and the person's agents. */
export function NewChatSkeleton() {
  const count = useAuth().me?.account.agentsCreated ?? 0;
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading your agents</span>
      <div className="flex flex-col gap-2">
        <Skeleton className="h-10 w-44 touch:h-11" />
        <Skeleton className="h-25" />
      </div>
      <div className="flex flex-col gap-1">
        <Skeleton className="mb-1 h-5 w-24" />
        {Array.from({ length: Math.min(count, ROWS) }, (_, i) => `${i}`).map((key) => (
          <Skeleton key={key} className="h-14" />
        ))}
      </div>
    </div>
  );
}
