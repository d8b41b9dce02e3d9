import { type Checkout, formatAmount, PRO_PRICE } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import { useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAuth } from '../../lib/auth.tsx';
import type { ReturnState } from '../../lib/return-place.ts';
import { Banner, ErrorBanner } from '../../ui/banner.tsx';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { AlertDialog } from '../../ui/overlay/alert-dialog.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { LinkedSentence } from '../../ui/page/linked-sentence.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useUnsettled } from './billing.api.ts';
import type { CheckoutEnd } from './paystack-popup.ts';
import { useCheckout } from './use-checkout.ts';
import { mountWallet } from './wallet-button.ts';

type Props = Pick<ButtonProps, 'variant' | 'size' | 'className'>;

const TITLES = new Map<string, string>([
  [SENTENCES.paymentClosed, 'Checkout closed'],
  [SENTENCES.paymentFormFailed, 'No payment form'],
  [SENTENCES.paymentPending, 'Waiting for your bank transfer'],
  [SENTENCES.paymentConfirming, 'Confirming your payment'],
  [SENTENCES.paymentDeclined, 'Payment declined'],
  [SENTENCES.paymentNotWritten, 'Your plan is not updated yet'],
  [SENTENCES.alreadyPro, 'You are Pro'],
]);

const UNSETTLED = {
  reported: SENTENCES.paymentConfirming,
  transfer: SENTENCES.paymentPending,
  refused: SENTENCES.paymentNotWritten,
};

/**
 * Buys Pro. Visitors are led to sign up first, and then to the billing page. Pro users see nothing; while a payment is being confirmed,
 * or did not fit, that stands here instead, and only a bank transfer may still be replaced by another way to pay.
 */
export function UpgradeButton({ variant = 'primary', size, className }: Props) {
  const { user, me } = useAuth();
  const unsettled = useUnsettled();
  const { working, sentence, start, dismiss, wallet, payWith } = useCheckout(user?.uid ?? '');
  const [signedOut, setSignedOut] = useState(false);
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  if (me?.account.subscriptionStatus === 'pro') return null;

  const leave = () => {
    setSignedOut(false);
    void navigate('/signup', { state: { from: '/billing' } satisfies ReturnState });
  };
  return (
    <>
      {unsettled !== null && (
        <Banner role="status">
          <LinkedSentence>{UNSETTLED[unsettled]}</LinkedSentence>
        </Banner>
      )}
      {(unsettled === null || unsettled === 'transfer') && (
        <Button
          ref={button}
          variant={unsettled === null ? variant : 'secondary'}
          size={size}
          className={className}
          loading={working}
          data-purchase=""
          onClick={() => (user === null ? setSignedOut(true) : void start().then(() => button.current?.focus()))}
        >
          {user === null ? <Invitation /> : unsettled === null ? 'Upgrade to Pro' : 'Pay another way'}
        </Button>
      )}
      {wallet && <WalletDialog checkout={wallet} onEnd={payWith} />}
      <AlertDialog
        open={signedOut}
        onOpenChange={(open) => !open && leave()}
        title="Sign up first"
        body={SENTENCES.paymentSignIn}
        confirmLabel="Sign up"
        cancelLabel={null}
        onConfirm={leave}
      />
      <AlertDialog
        open={sentence !== null}
        onOpenChange={(open) => !open && dismiss()}
        title={TITLES.get(sentence ?? '') ?? 'Upgrade to Pro'}
        body={sentence}
        confirmLabel="OK"
        cancelLabel={null}
        onConfirm={dismiss}
      />
    </>
  );
}

/** On the start page, which has no application, the style sheet knows whether somebody was signed in. */
function Invitation() {
  return (
    <>
      <span className="signed-in:hidden">Sign up to purchase</span>
      <span className="hidden signed-in:inline">Upgrade to Pro</span>
    </>
  );
}

/** The price as it is shown, and beside it exactly what is charged. */
export function ProPrice() {
  return (
    <p>
      <span className="font-mono text-2xl">{PRO_PRICE.usd} USD</span>{' '}
      <span className="text-muted">
        once, for a lifetime. Charged as{' '}
        <span className="font-mono text-ink">{formatAmount(PRO_PRICE.amount, PRO_PRICE.currency)}</span>, converted for
        the payment provider.
      </span>
    </p>
  );
}

/** Offers Apple Pay before the form, where browser and account have it; where the account has not, the form follows at once. */
function WalletDialog({ checkout, onEnd }: { checkout: Checkout; onEnd: (end: CheckoutEnd | 'form') => void }) {
  const container = `wallet-${useId().replaceAll(/[^a-z0-9]/giu, '')}`;
  const [state, setState] = useState<'looking' | 'offered' | 'failed'>('looking');
  const remove = useRef(() => {});
  const end = useRef(onEnd);
  end.current = onEnd;

  useEffect(() => {
    let hasLeft = false;
    const leave = (how: CheckoutEnd | 'form') => {
      remove.current();
      if (!hasLeft) end.current(how);
    };
    void mountWallet(checkout, container, { paid: () => leave('success'), failed: () => setState('failed') }).then(
      (button) => {
        if (button === null) return leave('form');
        remove.current = button.remove;
        if (hasLeft) button.remove();
        else setState('offered');
      },
    );
    return () => {
      hasLeft = true;
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
