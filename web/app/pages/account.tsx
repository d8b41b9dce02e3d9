import { AccountPage } from '../features/accounts/account-page.tsx';
import { Devices } from '../features/accounts/devices.tsx';
import { DeleteAccount, ExportData } from '../features/accounts/own-data.tsx';
import { Profile } from '../features/accounts/profile.tsx';
import { Security } from '../features/accounts/security.tsx';
import { ImportAccount } from '../features/transfer/import-account.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';

export const meta = () => ownPageMeta('Account');

export default function OwnAccountPage() {
  return (
    <AccountPage title="Account">
      <Profile />
      <Security />
      <Devices />
      <ExportData />
      <ImportAccount />
      <DeleteAccount />
    </AccountPage>
  );
}
