import { RecentActivity } from '../features/accounts/activity/recent-activity.tsx';
import { Devices } from '../features/accounts/devices.tsx';
import { useInvitations } from '../features/accounts/door/invitations.api.ts';
import { Invitations } from '../features/accounts/door/invitations.tsx';
import { DeleteAccount, ExportData } from '../features/accounts/own-data.tsx';
import { Profile } from '../features/accounts/profile.tsx';
import { Security } from '../features/accounts/security.tsx';
import { UsageSection } from '../features/accounts/usage-section.tsx';
import { ConfirmOwner } from '../features/accounts/ways-in/confirm-owner.tsx';
import { SuspendedWays } from '../features/accounts/ways-in/suspended-ways.tsx';
import { useAgents } from '../features/agents/agents.api.ts';
import { UpgradeButton } from '../features/billing/upgrade-button.tsx';
import { ApiKeys } from '../features/keys/api-keys.tsx';
import { SharedLinks } from '../features/shares/shared-links.tsx';
import { ImportAccount } from '../features/transfer/import-account.tsx';
import { useAuth } from '../lib/auth.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { SectionLinks } from '../ui/page/section.tsx';
import { AccountPage } from './frame-parts/account-page.tsx';

export const meta = () => ownPageMeta('Account');

const SECTIONS = [
  'You',
  'Usage',
  'Signing in',
  'Devices',
  'Recent activity',
  'API keys',
  'Shared links',
  'Invitations',
  'Your data',
  'Delete your account',
];

export default function OwnAccountPage() {
  return (
    <AccountPage title="Account">
      <Links />
      <SuspendedWays />
      <Profile />
      <UsageSection />
      <Security />
      <Devices />
      <RecentActivity />
      <Keys />
      <SharedLinks />
      <Invitations />
      <ExportData />
      <Import />
      <DeleteAccount />
      <ConfirmOwner />
    </AccountPage>
  );
}

// What asks the server stands within the page, which is there for signed-in people only.
function Links() {
  const { isShown: invites } = useInvitations();
  return <SectionLinks titles={SECTIONS.filter((title) => title !== 'Invitations' || invites)} />;
}

function Import() {
  return <ImportAccount agents={useAgents().data ?? []} />;
}

function Keys() {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  const agents = useAgents();
  return <ApiKeys isPro={isPro} upgrade={<UpgradeButton />} agents={agents.data} />;
}
