import { PRODUCT_NAME } from '@atelier/contract/product';
import { Link } from 'react-router';
import { AccountPage } from '../features/accounts/account-page.tsx';
import { buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

export const meta = () => [{ title: `Discover Public Agents · ${PRODUCT_NAME}` }];

export default function ExplorePage() {
  return (
    <AccountPage title="Discover Public Agents">
      <EmptyState
        title="Publishing and browsing arrive in a later version. Your own agents live in the runtime."
        action={
          <Link to="/runtime" className={buttonClass('primary')}>
            Back to the runtime
          </Link>
        }
      />
    </AccountPage>
  );
}
