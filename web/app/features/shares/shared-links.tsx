import { LoadFailure } from '../../lib/load-failure.tsx';
import { Section } from '../../ui/page/section.tsx';
import { Loading } from '../../ui/skeleton.tsx';
import { ShareRows } from './share-rows.tsx';
import { useShares } from './shares.api.ts';

/** The section of the account page about links that the person has shared. */
export function SharedLinks() {
  const shares = useShares();
  return (
    <Section title="Shared links">
      <p className="mt-2 text-muted">
        Anyone with one of these links can read what it shows. Who opened a link is not recorded.
      </p>
      <div className="mt-2">
        {shares.isPending && <Loading label="Loading your links" className="mt-2" parts={['h-16']} />}
        <LoadFailure of={shares} className="mt-2" />
        {shares.data?.length === 0 && (
          <p className="mt-2">You have no shared links. Open a session and press Share to create a link.</p>
        )}
        {shares.data && shares.data.length > 0 && <ShareRows shares={shares.data} withSession />}
      </div>
    </Section>
  );
}
