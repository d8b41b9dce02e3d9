import type { Share } from '@atelier/contract/shares';
import { Link } from 'react-router';
import { exchangePath } from '../../lib/addresses.ts';
import { useFocusPassedOn } from '../../ui/focus/use-focus-passed-on.ts';
import { dayOf } from '../../ui/formats.ts';
import { describeShare } from './describe-share.ts';
import { ShareActions } from './share-actions.tsx';

export interface ShareRowsProps {
  shares: readonly Share[];
  /** Names each link's session, in a list of several. */
  withSession?: boolean;
}

/** Links, each with what can be done about it. */
export function ShareRows({ shares, withSession = false }: ShareRowsProps) {
  return (
    <ul aria-label="Shared links" className="flex flex-col divide-y">
      {shares.map((share) => (
        <ShareRow key={share.id} share={share} withSession={withSession} />
      ))}
    </ul>
  );
}

function ShareRow({ share, withSession }: { share: Share; withSession: boolean }) {
  const row = useFocusPassedOn<HTMLLIElement>('after');
  const place = exchangePath(share.sessionId, share.taskId ?? undefined);
  return (
    <li ref={row} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-full sm:basis-48">
        {withSession && (
          <p className="font-semibold [overflow-wrap:anywhere]">
            <Link to={place} className="underline underline-offset-4">
              {share.sessionName}
            </Link>
          </p>
        )}
        <p className={withSession ? 'text-muted' : ''}>{describeShare(share)}</p>
        <p className="text-muted">
          Created <time dateTime={share.createdAt}>{dayOf(share.createdAt)}</time>
          {share.takenAt > share.createdAt && `, renewed ${dayOf(share.takenAt)}`}
        </p>
      </div>
      <ShareActions share={share} />
    </li>
  );
}
