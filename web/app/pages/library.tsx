import { useEffect } from 'react';
import { ProGate } from '../features/accounts/pro-gate.tsx';
import { UpgradeButton } from '../features/billing/upgrade-button.tsx';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { InPieces } from '../ui/page/in-pieces.tsx';
import { AccountPage } from './frame-parts/account-page.tsx';
import { CopiedNotice } from './library-parts/copied-notice.tsx';
import { Shelves } from './library-parts/shelves.tsx';

export const meta = () => ownPageMeta('My Library');

/** /library: own agents and favorites, for Pro; others see how to get it, and a link to the copy they just made. */
export default function LibraryPage() {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  return (
    <AccountPage title="My Library" width={isPro ? 'wide' : 'reading'}>
      <Library isPro={isPro} />
    </AccountPage>
  );
}

function Library({ isPro }: { isPro: boolean }) {
  const { refresh } = useAuth();
  // Entering the library refetches session and plan. What is shown stays if the server can't be reached.
  useEffect(() => void refresh().catch(() => {}), [refresh]);
  if (!isPro) return <Gate />;
  return (
    <InPieces fallback={null}>
      <Shelves />
    </InPieces>
  );
}

/** For free accounts: the copy they just made, where their agents are, and how to get the library. */
function Gate() {
  return (
    <>
      <CopiedNotice />
      <ProGate upgrade={<UpgradeButton />}>
        <p>Your agents are on the Runtime page. You can talk with them there.</p>
      </ProGate>
    </>
  );
}
