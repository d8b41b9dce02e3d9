import { Skeleton } from '../../ui/skeleton.tsx';

/** A list of the operator's page that is loading. */
export const ListWaiting = ({ label }: { label: string }) => (
  <div role="status" className="flex flex-col gap-3">
    <span className="sr-only">{label}</span>
    {['first', 'second', 'third', 'fourth'].map((key) => (
      <Skeleton key={key} className="h-14" />
    ))}
  </div>
);
