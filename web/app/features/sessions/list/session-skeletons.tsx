import { useAuth } from '../../../lib/auth.tsx';
import { classes } from '../../../ui/classes.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';

/** As many as are seen at a glance. */
const SKELETONS = 12;

/** Every row is equally high, so that those that aren't rendered yet have their place. */
export const listClass = 'flex max-h-[50vh] min-h-0 flex-col [--row:2.25rem] touch:[--row:2.75rem]';

/** As many as there are sessions, so that what is below the list doesn't move. */
export function SessionSkeletons() {
  const count = useAuth().me?.usage.sessionCount ?? 0;
  if (count === 0) return <Skeleton className="mx-2 my-3 h-5" />;
  return (
    <div aria-hidden="true" className={classes(listClass, 'overflow-hidden')}>
      <div className="shrink-0" style={{ height: `calc(var(--row) * ${count})` }}>
        {Array.from({ length: Math.min(count, SKELETONS) }, (_, i) => `${i}`).map((key) => (
          <span key={key} className="flex h-(--row) items-center gap-2.5 px-2">
            <Skeleton className="size-5" />
            <Skeleton className="h-4 flex-1" />
          </span>
        ))}
      </div>
    </div>
  );
}
