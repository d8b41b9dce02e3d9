import { PRODUCT_NAME } from '@atelier/contract/product';
import { AccountPage } from '../features/accounts/account-page.tsx';
import { AccountFacts, DeleteAccount, ExportData } from '../features/accounts/own-data.tsx';

export const meta = () => [{ title: `Account · ${PRODUCT_NAME}` }];

export default function OwnAccountPage() {
  return (
    <AccountPage title="Account">
      <AccountFacts />
      <ExportData />
      <DeleteAccount />
    </AccountPage>
  );
}
