import { SENTENCES } from '@atelier/contract/errors';
import { PRODUCT_NAME } from '@atelier/contract/product';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { AccountPage } from '../features/accounts/account-page.tsx';
import { useAuth } from '../lib/auth.tsx';
import { Banner } from '../ui/banner.tsx';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

export const meta = () => [{ title: `My Library · ${PRODUCT_NAME}` }];

export default function LibraryPage() {
  return (
    <AccountPage title="My Library">
      <Library />
    </AccountPage>
  );
}

function Library() {
  const { me, refresh } = useAuth();
  // Entering the library renews session and plan. What is shown stays if the server can't be reached just now.
  useEffect(() => void refresh().catch(() => {}), [refresh]);
  if (me?.account.subscriptionStatus !== 'pro') return <ProGate />;
  return (
    <EmptyState
      title="The library of your own and your favorite agents arrives in a later version. Until then you create, edit and delete agents in the runtime."
      action={
        <Link to="/runtime" className={buttonClass('primary')}>
          Back to the runtime
        </Link>
      }
    />
  );
}

function ProGate() {
  return (
    <>
      <Banner tone="warning">
        <p className="font-semibold">{SENTENCES.proFeature}</p>
        <p className="mt-1 text-muted">
          Pro is one payment of 15 USD for a lifetime. The amount will be converted to ZAR for the payment provider.
          Paying arrives in a later version; until then whoever runs this installation can grant Pro.
        </p>
      </Banner>
      <div className="flex flex-wrap gap-3">
        <Link to="/billing" className={buttonClass('primary')}>
          See plans
        </Link>
        <Link to="/runtime" className={buttonClass()}>
          Back to the runtime
        </Link>
      </div>
    </>
  );
}
