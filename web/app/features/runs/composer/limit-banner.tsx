import { SENTENCES } from '@atelier/contract/errors';
import { Link } from 'react-router';
import { Banner } from '../../../ui/banner.tsx';
import { buttonClass } from '../../../ui/button.tsx';

/** Replaces the composer once a free account is used up. */
export function LimitBanner() {
  return (
    <Banner tone="warning" role="status" className="sm:items-center">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{SENTENCES.limitBanner}</p>
        <Link to="/billing" className={buttonClass('primary')}>
          Upgrade to Pro
        </Link>
      </div>
    </Banner>
  );
}
