import { type Checkout, formatAmount } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import { useEffect, useId, useRef, useState } from 'react';
import { ErrorBanner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { CheckoutEnd } from './paystack-popup.ts';
import { mountWallet } from './wallet-button.ts';

interface Props {
  checkout: Checkout;
  onEnd: (end: CheckoutEnd | 'form') => void;
}

/** Offers Apple Pay before the form, where browser and account have it; where the account has not, the form follows at once. */
export function WalletDialog({ checkout, onEnd }: Props) {
  const container = `wallet-${useId().replaceAll(/[^a-z0-9]/giu, '')}`;
  const [state, setState] = useState<'looking' | 'offered' | 'failed'>('looking');
  const remove = useRef(() => {});
  const end = useRef(onEnd);
  end.current = onEnd;

  useEffect(() => {
    let left = false;
    const leave = (how: CheckoutEnd | 'form') => {
      remove.current();
      if (!left) end.current(how);
    };
    void mountWallet(checkout, container, { paid: () => leave('success'), failed: () => setState('failed') }).then(
      (button) => {
        if (button === null) return leave('form');
        remove.current = button.remove;
        if (left) button.remove();
        else setState('offered');
      },
    );
    return () => {
      left = true;
      remove.current();
    };
  }, [checkout, container]);

  function leave(how: CheckoutEnd | 'form') {
    remove.current();
    remove.current = () => {};
    onEnd(how);
  }

  return (
    <Dialog
      open
      onOpenChange={() => leave('closed')}
      title="Choose how to pay"
      description={`Pro, for a lifetime: ${formatAmount(checkout.amount, checkout.currency)}`}
    >
      <div className="flex flex-col gap-3">
        {state === 'failed' && <ErrorBanner>{SENTENCES.paymentWallet}</ErrorBanner>}
        {state === 'looking' && <Skeleton className="h-12 w-full" />}
        <div id={container} hidden={state === 'looking'} />
        <Button onClick={() => leave('form')}>Pay another way</Button>
      </div>
    </Dialog>
  );
}
