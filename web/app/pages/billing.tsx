import { Link } from 'react-router';
import { PlanCard } from '../features/billing/plan-card.tsx';
import { Receipts } from '../features/billing/receipts.tsx';
import { BudgetNotice } from '../features/usage/budget-notice.tsx';
import { ownPageMeta } from '../lib/page-meta.ts';
import { ArrowLeft } from '../ui/icons/lucide.ts';
import { AccountPage } from './frame-parts/account-page.tsx';

export const meta = () => ownPageMeta('Billing & Plans');

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
      <PlanCard notice={<BudgetNotice />} />
      <Receipts />
    </AccountPage>
  );
}
