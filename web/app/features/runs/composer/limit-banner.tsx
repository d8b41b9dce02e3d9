import { SENTENCES } from '@atelier/contract/errors';
import { Banner } from '../../../ui/banner.tsx';
import { ButtonLink } from '../../../ui/button-link.tsx';

/** Says that a free account is used up, and leads to Pro. Without messages left it replaces the composer. */
export function LimitBanner({ sentence = SENTENCES.limitBanner }: { sentence?: string }) {
  return (
    <Banner tone="warning" role="status" className="sm:items-center">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{sentence}</p>
        <ButtonLink to="/billing" variant="primary">
          Upgrade to Pro
        </ButtonLink>
      </div>
    </Banner>
  );
}
