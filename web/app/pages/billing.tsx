import { FREE_LIMITS } from '@atelier/contract/accounts';
import { PRODUCT_NAME } from '@atelier/contract/product';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { AccountPage } from '../features/accounts/account-page.tsx';
import { useAuth } from '../lib/auth.tsx';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';

export const meta = () => [{ title: `Billing & Plans · ${PRODUCT_NAME}` }];

export default function BillingPage() {
  return (
    <AccountPage title="Billing & Plans">
      <Link
        to="/runtime"
        className="inline-flex items-center gap-2 self-start rounded underline-offset-4 hover:underline touch:min-h-11"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        Back to the runtime
      </Link>
      <Plan />
    </AccountPage>
  );
}

function Plan() {
  const { me } = useAuth();
  const pro = me?.account.subscriptionStatus === 'pro';
  return (
    <section aria-labelledby="plan" className="rounded-lg border bg-raised p-6">
      <h2 id="plan" className="text-muted text-sm">
        Current plan
      </h2>
      <p className="mt-1 font-semibold text-2xl">{pro ? 'Pro — Lifetime Access' : 'Free'}</p>
      {pro ? (
        <p className="mt-2">Thank you for supporting {PRODUCT_NAME}. Everything is yours, for good.</p>
      ) : (
        <>
          <p className="mt-2 text-muted">
            {FREE_LIMITS.sessions} sessions, {FREE_LIMITS.messages} messages and {FREE_LIMITS.tasks} tasks in total. Pro
            lifts these limits with one payment of 15 USD.
          </p>
          <Banner className="mt-4">
            Paying arrives in a later version. Until then whoever runs this installation can grant Pro; the page shows
            it at once.
          </Banner>
        </>
      )}
      <RefreshPlan />
    </section>
  );
}

function RefreshPlan() {
  const { refresh } = useAuth();
  const [working, setWorking] = useState(false);
  async function reload() {
    setWorking(true);
    try {
      await refresh();
      window.location.reload();
    } catch {
      setWorking(false);
      toast.error('Failed to refresh plan status. Please try again.');
    }
  }
  return (
    <Button size="sm" className="mt-6" loading={working} onClick={reload}>
      Refresh Plan Status
    </Button>
  );
}
