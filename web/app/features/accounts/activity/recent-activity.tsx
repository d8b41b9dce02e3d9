import { ACTIVITY_DAYS, type Activity, activityCalls } from '@atelier/contract/accounts/activity';
import { useInfiniteQuery } from '@tanstack/react-query';
import { LoadFailure } from '../../../lib/load-failure.tsx';
import { keys, pagedQuery } from '../../../lib/query.ts';
import { Button } from '../../../ui/button.tsx';
import { minuteOf } from '../../../ui/formats.ts';
import { Section } from '../../../ui/page/section.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { activityWords, networkWords } from './activity-words.ts';

const useActivity = () => useInfiniteQuery(pagedQuery(keys.activity, activityCalls.list, { query: { limit: 10 } }));

/** What concerned the safety of the account lately, the latest first. */
export function RecentActivity() {
  const activity = useActivity();
  const rows = activity.data?.pages.flatMap((page) => page.activity);
  return (
    <Section title="Recent activity">
      <p className="mt-2 text-muted">
        Sign-ins, and changes to how people get in, during the last {ACTIVITY_DAYS} days. If something wasn’t you,
        change your password above and leave “Sign out my other devices” ticked.
      </p>
      <div className="mt-4">
        {activity.isPending && <Loading label="Loading recent activity" parts={['h-32']} />}
        <LoadFailure of={activity} />
        {rows?.length === 0 && <p>Nothing has happened yet.</p>}
        {rows && rows.length > 0 && (
          <ul aria-label="Recent activity" className="flex flex-col gap-3 [overflow-wrap:anywhere]">
            {rows.map((row) => (
              <Row key={row.id} activity={row} />
            ))}
          </ul>
        )}
      </div>
      {activity.hasNextPage && (
        <Button
          size="sm"
          className="mt-4"
          loading={activity.isFetchingNextPage}
          onClick={() => void activity.fetchNextPage()}
        >
          {activity.isFetchNextPageError ? 'Try again' : 'Show more'}
        </Button>
      )}
    </Section>
  );
}

function Row({ activity }: { activity: Activity }) {
  const { at, device, network, isHere } = activity;
  const where = [
    minuteOf(at),
    device && (isHere ? `${device} (this device)` : device),
    network && `from ${networkWords(network)}`,
  ];
  return (
    <li>
      <p>{activityWords(activity)}</p>
      <p className="text-muted text-sm">{where.filter(Boolean).join(', ')}</p>
    </li>
  );
}
