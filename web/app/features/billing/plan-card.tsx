import { FREE_LIMITS } from '@atelier/contract/accounts';
import { type Billing, PAYMENT_OFF, type Payment } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import { PRODUCT_NAME } from '@atelier/contract/product';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAuth } from '../../lib/auth.tsx';
import { errorText } from '../../lib/http.ts';
import { Banner } from '../../ui/banner.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { LinkedSentence } from '../../ui/page/linked-sentence.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useBilling, useRecheck } from './billing.api.ts';
import { ProPrice, UpgradeButton } from './upgrade-button.tsx';

const linkClass = 'inline-flex items-center gap-2 rounded underline underline-offset-4 touch:min-h-11';

/** The plan as it stands, and what can be done about it; `notice` is to be read before a purchase. */
export function PlanCard({ notice }: { notice: ReactNode }) {
  const { me } = useAuth();
  const pro = me?.account.subscriptionStatus === 'pro';
  return (
    <section aria-labelledby="plan" className="rounded-lg border bg-raised p-6">
      <h2 id="plan" className="text-muted text-sm">
        Current plan
      </h2>
      <p className="mt-1 font-semibold text-2xl">{pro ? 'Pro — Lifetime Access' : 'Free'}</p>
      {pro ? (
        <>
          <p className="mt-2">Thank you for supporting {PRODUCT_NAME}. Everything is yours, for good.</p>
          <Next />
        </>
      ) : (
        <Offer notice={notice} />
      )}
      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2 border-t pt-4">
        <RefreshPlan />
        {!pro && <Recheck />}
      </div>
    </section>
  );
}

/** What Pro opens, for somebody who has just paid. */
function Next() {
  return (
    <nav aria-label="What Pro opens" className="mt-4 flex flex-wrap gap-x-6 gap-y-1">
      <Link to="/library" className={linkClass}>
        Give an agent tools and files
      </Link>
      <Link to="/memory" className={linkClass}>
        See what your agents remember
      </Link>
      <Link to="/explore" className={linkClass}>
        Try what others publish
      </Link>
    </nav>
  );
}

const PROVIDERS = {
  sandbox: 'Payments here are tests in a sandbox: no money moves.',
  paystack: 'Paid by Paystack. Card details never reach this server.',
};

const describePayment = ({ provider, offBecause }: Billing) =>
  provider === 'off' ? PAYMENT_OFF[offBecause ?? 'settings'] : PROVIDERS[provider];

function Offer({ notice }: { notice: ReactNode }) {
  const { data, isError } = useBilling();
  const provider = data?.provider;
  return (
    <div className="mt-2 flex flex-col gap-4">
      <p className="text-muted">
        {FREE_LIMITS.sessions} sessions, {FREE_LIMITS.messages} messages and {FREE_LIMITS.tasks} tasks in total. Pro
        lifts these limits, remembers across all sessions of an agent, and opens the library.
      </p>
      <ProPrice />
      {provider === undefined && !isError && <Skeleton className="h-18.5 sm:h-12.5" />}
      {data !== undefined && <Banner>{describePayment(data)}</Banner>}
      {provider !== 'off' && <UpgradeButton className="self-start" />}
      {notice}
    </div>
  );
}

function RefreshPlan() {
  const { refresh } = useAuth();
  const reload = useMutation({
    mutationFn: refresh,
    onSuccess: () => window.location.reload(),
    onError: () => toast.error(SENTENCES.planRefreshFailed),
  });
  // The page goes on showing that it works until it is gone.
  const working = reload.isPending || reload.isSuccess;
  return (
    <a
      href="/billing"
      aria-busy={working || undefined}
      className={linkClass}
      onClick={(event) => {
        event.preventDefault();
        if (!working) reload.mutate();
      }}
    >
      {working && <Spinner />}
      Refresh Plan Status
    </a>
  );
}

function Recheck() {
  const { mutate, isPending, data, error } = useRecheck();
  return (
    <>
      <button
        type="button"
        aria-busy={isPending || undefined}
        className={linkClass}
        onClick={() => !isPending && mutate()}
      >
        {isPending && <Spinner />}I paid but am still Free
      </button>
      <p role="status" className="w-full text-muted text-sm empty:hidden">
        {error
          ? errorText(error)
          : data?.plan === 'free' && !isPending && <LinkedSentence>{whyFree(data.payments)}</LinkedSentence>}
      </p>
    </>
  );
}

function whyFree(payments: readonly Payment[]): string {
  if (payments.length === 0) return 'We found no payment from you. If money left your account, please contact support.';
  if (payments.some(({ state }) => state === 'refused'))
    return 'We found your payment, but its amount or currency is not what was asked for, so your plan could not change. You need not pay again: please contact support with the reference below.';
  return 'We asked the payment provider about every open payment: none is complete yet. We keep asking. If money left your account, please contact support with the reference below.';
}
