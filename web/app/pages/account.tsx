import { AccountPage } from '../features/accounts/account-page.tsx';
import { AccountFacts, DeleteAccount, ExportData } from '../features/accounts/own-data.tsx';
import { useAgents } from '../features/agents/agents.api.ts';
import { UpgradeButton } from '../features/billing/upgrade-button.tsx';
import { ApiKeys } from '../features/keys/api-keys.tsx';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';

export const meta = () => ownPageMeta('Account');

export default function OwnAccountPage() {
  return (
    <AccountPage title="Account">
      <AccountFacts />
      <Keys />
      <ExportData />
      <DeleteAccount />
    </AccountPage>
  );
}

function Keys() {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  const agents = useAgents();
  return <ApiKeys isPro={isPro} upgrade={<UpgradeButton />} agents={agents.data} />;
}
