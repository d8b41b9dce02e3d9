import { Loading } from '../skeleton.tsx';

/** Placeholders for the entries of a list, with `bar` also for what stands above them; `label` tells screen readers what is loading. */
export function ListSkeleton({ label, bar = false }: { label: string; bar?: boolean }) {
  const entries = ['h-24', 'h-24', 'h-24'];
  return (
    <Loading label={label} className="flex flex-col gap-3" parts={bar ? ['h-10 touch:h-11', ...entries] : entries} />
  );
}

/** For entries found by the filters before, while those for the new ones are loading; not for short waits. */
export const outdatedClass = 'opacity-60 transition-opacity delay-300';
