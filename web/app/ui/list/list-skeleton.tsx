import { Skeleton } from '../skeleton.tsx';

/** Placeholders for the entries of a list, with `bar` also for what stands above them; `label` tells screen readers what is loading. */
export function ListSkeleton({ label, bar = false }: { label: string; bar?: boolean }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">{label}</span>
      {bar && <Skeleton className="h-10 touch:h-11" />}
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  );
}

/** For entries found by the filters before, while those for the new ones are loading; not for short waits. */
export const outdatedClass = 'opacity-60 transition-opacity delay-300';
