import { AccountPage } from '../features/accounts/account-page.tsx';
import { AccountFacts, DeleteAccount, ExportData } from '../features/accounts/own-data.tsx';
import { ImportAccount } from '../features/transfer/import-account.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';

export const meta = () => ownPageMeta('Account');

export default function OwnAccountPage() {
  return (
    <AccountPage title="Account">
      <AccountFacts />
      <ExportData />
      <ImportAccount />
      <DeleteAccount />
    </AccountPage>
  );
}
