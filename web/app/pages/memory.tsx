import { ProGate } from '../features/accounts/pro-gate.tsx';
import { UpgradeButton } from '../features/billing/upgrade-button.tsx';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { AccountPage } from './frame-parts/account-page.tsx';
import { Shelf } from './memory-parts/memory-views.tsx';

export const meta = () => ownPageMeta('Memory');

/** /memory: what the person's agents know about them and, in its second view, everything that was said; for Pro. */
export default function MemoryPage() {
  return (
    <AccountPage title="Memory">
      <Memory />
    </AccountPage>
  );
}

function Memory() {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  if (isPro) return <Shelf />;
  return <ProGate upgrade={<UpgradeButton />} />;
}
