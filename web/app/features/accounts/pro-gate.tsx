import { formatAmount, PRO_PRICE } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import type { ReactNode } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { ArrowLeft } from '../../ui/icons/lucide.ts';

export interface ProGateProps {
  /** How to buy Pro. */
  upgrade: ReactNode;
  /** What a free user may still do here. */
  children?: ReactNode;
}

/** Shown to others in place of a Pro page: the sentence, the price, how to buy it and the way back. */
export function ProGate({ upgrade, children }: ProGateProps) {
  return (
    <>
      <Banner>
        <p className="font-semibold">{SENTENCES.proFeature}</p>
        <p className="mt-1 text-muted">
          Pro is one payment of 15 USD for a lifetime. The amount will be converted to ZAR for the payment provider:
          exactly {formatAmount(PRO_PRICE.amount, PRO_PRICE.currency)}.
        </p>
      </Banner>
      {children}
      <div className="flex flex-wrap items-center gap-3">
        {upgrade}
        <ButtonLink to="/runtime" variant="ghost">
          <ArrowLeft className="size-4" />
          Back to the runtime
        </ButtonLink>
      </div>
    </>
  );
}
